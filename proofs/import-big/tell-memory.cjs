// Required by a process whose memory is asked for: says at its end how much it had at most.
'use strict'
const fs = require('node:fs')

process.once('exit', () => {
  const file = process.env['MARU_TELL_MEMORY']
  if (file) fs.writeFileSync(file, String(process.resourceUsage().maxRSS))
})
