/** Whether the terminal wraps its lines anew when its width changes. Most do; those known not to are named here. */
export function canReflow(env: Readonly<Record<string, string | undefined>>): boolean {
  // Inside tmux the variables of the terminal around it say nothing.
  if (env['TMUX'] !== undefined) return true
  if (env['XTERM_VERSION'] !== undefined || env['STY'] !== undefined) return false
  return !/^(?:linux|rxvt|putty|screen)/.test(env['TERM'] ?? '')
}
