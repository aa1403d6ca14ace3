import type { Call } from './call.ts'

const STRING = /'((?:\\.|[^'\\\n])*)'|"((?:\\.|[^"\\\n])*)"|`((?:\\.|[^`\\])*)`/g

// Words that are clear in any language. They only refuse: code that is not understood is asked about anyway.
const REMOVES_ALL =
  /(?:rmtree|rmSync|rmdirSync|rimraf|rm_rf|rm_r|remove_entry|remove_dir_all|deltree|unlinkSync|removeSync|fs\.rm|emptyDir|delete_tree)\s*\(?\s*[^)]*?['"`](?:\/|~|\/home[^'"`]*|\/root|\/etc[^'"`]*|\/usr[^'"`]*|\/var|\.\.|\.git|\.)\/?\*?['"`]/
const REMOVES_HOME = /(?:rmtree|rmSync|rimraf|rm_rf|unlink|remove)\b[^;]*(?:homedir|expanduser|Path\.home|HOME)/
const HIDDEN =
  /(?:eval|exec|Function|loads|instance_eval|assert)\s*\(?[^;]*(?:base64|b64decode|fromCharCode|atob|unhexlify|decode\(|unpack|gzinflate|str_rot13|decompress)|Buffer\.from\([^)]*,\s*['"](?:base64|hex)['"]\)[^;]*(?:eval|exec|Function)/i
const REMOTE =
  /(?:eval|exec|Function|system|spawn|import)\b[\s\S]*(?:urlopen|requests\.get|fetch\(|https?\.get|open-uri|LWP|file_get_contents\(\s*['"]http|curl_exec|Net::HTTP)|(?:urlopen|requests\.get|fetch\(|https?\.get)[\s\S]*(?:\beval|\bexec|Function\(|system\(|popen)/i
const REVERSE =
  /(?:socket|net\.connect|createConnection|TCPSocket|IO::Socket|fsockopen)[\s\S]*(?:dup2|\/bin\/(?:ba|z)?sh|spawn|subprocess|pty|exec)/i
const SENDS =
  /(?:\.env\b|id_rsa|\.ssh|\.aws|environ|process\.env|shadow|\.npmrc|\.netrc)[\s\S]*(?:urlopen|requests\.|fetch\(|https?\.(?:get|request)|socket|curl)|(?:urlopen|requests\.|fetch\(|https?\.request|socket)[\s\S]*(?:\.env\b|id_rsa|\.ssh|\.aws|os\.environ|process\.env|shadow)/i
const STEALS =
  /\/etc\/shadow|\.ssh\/|\.aws\/|\/proc\/[^'"\s]*environ|id_rsa|\.netrc|\.git-credentials|authorized_keys|\.bashrc|\.zshrc|\.zshenv|\.profile|\/etc\/(?:cron|sudoers|passwd|hosts)/
const CONTROLS =
  /os\.(?:setuid|setgid|reboot)\s*\(|(?:^|\W)fork\(?\)?\s*(?:while|;\s*\})|while\s*(?:\(?1\)?|True|true)\s*[:{]?\s*(?:os\.)?fork|os\.kill\s*\(\s*-1|ctypes/

/** Looks for what is clearly grave in code of another language: the texts in it, and the calls around them. */
export function inspectCode(call: Call, code: string): void {
  if (REMOVES_ALL.test(code) || REMOVES_HOME.test(code))
    call.note('catastrophe', 'catastrophe', 'a home, the machine or the workspace')
  if (HIDDEN.test(code)) call.note('hostile', 'hidden', 'encoded text')
  if (REMOTE.test(code)) call.note('hostile', 'remote-code', 'the network')
  if (REVERSE.test(code)) call.note('hostile', 'remote-code', 'a socket')
  if (SENDS.test(code)) call.note('hostile', 'exfiltration', 'secrets')
  if (STEALS.test(code)) call.note('hostile', 'outside', STEALS.exec(code)?.[0] ?? '')
  if (CONTROLS.test(code)) call.note('hostile', 'process', 'the system')
  for (const [, single, double, back] of code.matchAll(STRING)) {
    const text = (single ?? double ?? back ?? '').replace(/\\(.)/g, '$1')
    if (/\s/.test(text)) call.probe(text)
  }
  // `qx/…/`, `%x(…)`, or the words of a list: ["rm", "-rf", "/"].
  for (const [, text = ''] of code.matchAll(/(?:qx|%x|q)\s*[/({[|]([^/)}\]|]*)/g)) call.probe(text)
  for (const [list] of code.matchAll(/\[(?:\s*(?:'[^']*'|"[^"]*")\s*,?)+\]/g))
    call.probe([...list.matchAll(STRING)].map(([, a, b]) => a ?? b ?? '').join(' '))
}
