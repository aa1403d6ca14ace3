import type { Random } from '../../bench/patches/random.ts'

/**
 * Grows a line of bash from a grammar of nested quoting and substitution. Its commands are names that no machine has, so
 * that whichever of them bash runs can be told.
 */
export function growLine(random: Random): string {
  let names = 0
  const name = () => `zq${names++}`
  const word = (depth: number): string => {
    if (depth <= 0)
      return random.pick(['a', "'b c'", '"d"', '-x', '*.ts', '{e,f}', '$?', "$'\\x41'", 'g\\ h', '~', '#i', "''"])
    const inside = () => line(depth - 1)
    return random.pick<() => string>([
      () => `$(${inside()}\n)`,
      () => `"$(${inside()}\n)"`,
      () => `"a $(${inside()}\n) '$(${inside()}\n)'"`,
      () => `\`${tick(inside())}\``,
      () => `"\`${tick(inside()).replaceAll('"', '\\"')}\`"`,
      () => `<(${inside()}\n)`,
      () => `\${x:-$(${inside()}\n)}`,
      () => `"\${x:-"$(${inside()}\n)"}"`,
      () => `\${x:-'${name()}'}`,
      () => `"\${x#'}$(${inside()}\n)\${x%"'"}"`,
      () => `\${x//$(${inside()}\n)/b}`,
      () => `\${a[$(${inside()}\n)]}`,
      () => `$(( $(${inside()}\n) + 1 ))`,
      () => `$(( a[$(${inside()}\n)] ))`,
      () => `'$(${name()})'`,
      () => `\\$\\(${name()}\\)`,
      () => `$'\\'$(${name()})'`,
      () => `"'$(${inside()}\n)'"`,
      () => `a{b,$(${inside()}\n)}c`,
      () => `$(<a) $(${inside()}\n)`,
      () => `!(x|$(${inside()}\n))`,
    ])()
  }
  const spelled = () => {
    const plain = name()
    return random.pick<() => string>([
      () => plain,
      () => plain,
      () => `'${plain}'`,
      () => `${plain.slice(0, 1)}"${plain.slice(1)}"`,
      () => `\\${plain}`,
      () => `${plain.slice(0, 2)}\\\n${plain.slice(2)}`,
      () => `$'${plain}'`,
      () => `${plain.slice(0, 1)}''${plain.slice(1)}`,
      () => `{${plain},a}`,
      () => `$(printf ${plain})`,
    ])()
  }
  const simple = (depth: number): string => {
    const words = Array.from({ length: random.below(3) }, () => word(random.below(depth + 1)))
    const before = random.pick(['', '', '', 'x=1 ', `y=${word(depth - 1)} `, '2>/dev/null ', '< /dev/null ', 'a[0]=1 '])
    const behind = random.pick([
      '',
      '',
      '',
      ' 2>&1',
      ' # comment $(zqnever)',
      ' > /dev/null',
      ` <<< ${word(depth - 1)}`,
    ])
    return `${before}${spelled()} ${words.join(' ')}${behind}`
  }
  const line = (depth: number): string => {
    if (depth <= 0) return simple(0)
    const inside = () => line(depth - 1)
    return random.pick<() => string>([
      () => simple(depth),
      () => simple(depth),
      () => `${inside()}\n${inside()}`,
      () => `${simple(depth - 1).replace(/ #.*$/, '')}; ${inside()}`,
      () => `${simple(0).replace(/ #.*$/, '')} || ${inside()}`,
      () => `! ${inside()}`,
      () => `${simple(0).replace(/ #.*$/, '')} | ${inside()}`,
      () => `(${inside()}\n)`,
      () => `{ ${inside()}\n}`,
      () => `if ${inside()}\nthen ${inside()}\nelse ${inside()}\nfi`,
      () => `while ${inside()}\ndo ${inside()}\nbreak; done`,
      () => `for i in ${word(depth - 1)}; do ${inside()}\ndone`,
      () =>
        `case ${word(depth - 1)} in ${random.pick(['a', 'a|b', '*', `$(${inside()}\n)`])}) ${inside()}\n;; *) ${inside()}\n;; esac`,
      () => `f() { ${inside()}\n}; f ${word(0)}`,
      () => `function g { ${inside()}\n}\ng`,
      () => `zqcat <<END\n${word(depth - 1)} $(${inside()}\n)\nEND`,
      () => `zqcat <<'END'\n$(${name()})\nEND\n${inside()}`,
      () => `zqcat <<-END\n\t\`${tick(inside())}\`\n\tEND`,
      () => `[[ -n ${word(depth - 1)} && a == $(${inside()}\n) ]]`,
      () => `(( 1 + $(${inside()}\n) ))`,
      () => `eval '${inside().replaceAll("'", `'\\''`)}'`,
      () => `/bin/bash -c '${inside().replaceAll("'", `'\\''`)}'`,
      () => `x=$(${inside()}\n)`,
      () => `a=(b $(${inside()}\n) [$(${inside()}\n)]=c)`,
      () => `command ${spelled()} ${word(depth - 1)}`,
      () => `time ${inside()}`,
      () => `for ((i = 0; i < 1; i++)); do ${inside()}\ndone`,
      () => `echo a#b; ${inside()}`,
      () => `v=${name()}; $v ${word(0)}`,
    ])()
  }
  return line(1 + random.below(4))
}

// What stands between backticks has its own backslashes.
function tick(line: string): string {
  return line.replace(/[\\`]/g, '\\$&').replaceAll('$', '\\$').replace(/\\\$/g, '$')
}
