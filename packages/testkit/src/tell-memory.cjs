// Required by a process whose memory is asked for: at its end, says on descriptor 3 how many kilobytes it had at most.
'use strict'
const fs = require('node:fs')

process.once('exit', () => fs.writeSync(3, String(peak())))

// What `getrusage` counts includes the process that started this one, as large as it was at that moment.
function peak() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS
  return fs.readFileSync('/proc/self/status', 'utf8').match(/^VmHWM:\s*(\d+)/m)?.[1]
}
