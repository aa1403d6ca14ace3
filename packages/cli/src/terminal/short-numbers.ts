import type { Translator } from '@maru/i18n'

/** 950, 12.3k, 4.5M: short enough to stand in a line that is always there. */
export function shortCount(value: number): string {
  if (value < 1000) return String(value)
  const [size, unit] = value < 999_950 ? [1000, 'k'] : [1_000_000, 'M']
  return `${(value / size).toFixed(1).replace(/\.0$/, '')}${unit}`
}

/** Dollars; small amounts with the places that make them more than nothing. */
export function tellMoney(money: number): string {
  return `$${money.toFixed(money < 1 ? 4 : 2)}`
}

/** 4 s, 1:05, 1:02:03: how long something has been under way. */
export function shortTime(milliseconds: number, t: Translator): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000))
  if (seconds < 60) return t('screen.seconds', { count: seconds })
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
