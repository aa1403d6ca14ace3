type Labels = { [name: string]: string }

/** What is known of each number by name; one that is not here is shown all the same. */
const HELP: { [name: string]: string } = {
  maru_requests_total: 'Requests that were answered, by route and status.',
  maru_request_seconds: 'How long an answer took.',
  maru_sockets: 'Sockets that are open.',
  maru_socket_frames_total: 'Frames that came in over sockets.',
  maru_sockets_too_slow_total: 'Sockets that were closed because nothing was read from them.',
  maru_upgrades_refused_total: 'Sockets that were not let in, by code.',
  maru_agents_running: 'Agents that are at work.',
  maru_database_up: 'Whether the database answers.',
  maru_memory_bytes: 'Resident memory of the process.',
  maru_uptime_seconds: 'How long the process has been serving.',
}

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

interface Histogram {
  counts: number[]
  sum: number
  count: number
}

/** Numbers for whoever looks after the server, in Prometheus' text format. */
export function createMetrics() {
  const counters = new Map<string, Map<string, number>>()
  const gauges = new Map<string, number>()
  const times = new Map<string, Histogram>()
  return {
    count(name: string, amount = 1, labels: Labels = {}): void {
      const full = fullName(name, '_total')
      const series = counters.get(full) ?? new Map<string, number>()
      counters.set(full, series)
      const printed = print(labels)
      series.set(printed, (series.get(printed) ?? 0) + amount)
    },
    gauge(name: string, value: number): void {
      gauges.set(fullName(name, ''), value)
    },
    time(route: string, seconds: number): void {
      const histogram = times.get(route) ?? { counts: BUCKETS.map(() => 0), sum: 0, count: 0 }
      times.set(route, histogram)
      histogram.sum += seconds
      histogram.count++
      const at = BUCKETS.findIndex((bound) => seconds <= bound)
      if (at >= 0) histogram.counts[at] = (histogram.counts[at] ?? 0) + 1
    },
    print(): string {
      const lines: string[] = []
      for (const [name, series] of counters) {
        head(lines, name, 'counter')
        for (const [labels, value] of series) lines.push(`${name}${labels} ${value}`)
      }
      for (const [name, value] of gauges) {
        head(lines, name, 'gauge')
        lines.push(`${name} ${value}`)
      }
      head(lines, 'maru_request_seconds', 'histogram')
      for (const [route, histogram] of times) lines.push(...printHistogram(route, histogram))
      return `${lines.join('\n')}\n`
    },
  }
}
export type Metrics = ReturnType<typeof createMetrics>

function printHistogram(route: string, { counts, sum, count }: Histogram): string[] {
  let below = 0
  const lines = counts.map((own, at) => {
    below += own
    return `maru_request_seconds_bucket${print({ route, le: String(BUCKETS[at]) })} ${below}`
  })
  return [
    ...lines,
    `maru_request_seconds_bucket${print({ route, le: '+Inf' })} ${count}`,
    `maru_request_seconds_sum${print({ route })} ${sum}`,
    `maru_request_seconds_count${print({ route })} ${count}`,
  ]
}

function head(lines: string[], name: string, type: string): void {
  lines.push(`# HELP ${name} ${HELP[name] ?? name}`, `# TYPE ${name} ${type}`)
}

function fullName(name: string, end: string): string {
  const plain = name.replaceAll(/[^a-zA-Z0-9_]/g, '_')
  const whole = plain.startsWith('maru_') ? plain : `maru_${plain}`
  return end !== '' && !whole.endsWith(end) ? whole + end : whole
}

function print(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  )
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}
