/** Readable on a phone, in the dark too. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, "Apple SD Gothic Neo", "Noto Sans KR", sans-serif }
body { margin: 0; padding: 1rem; overflow-wrap: anywhere; word-break: keep-all }
main { max-width: 40rem; margin: 0 auto }
header, footer { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: baseline; justify-content: space-between }
h1 { font-size: 1.4rem; margin: 0 }
section, footer { border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding-top: 1rem; margin-top: 1rem }
form { display: grid; gap: .5rem; margin-bottom: 1.5rem }
label { display: grid; gap: .25rem }
input, button { font: inherit; padding: .6rem .75rem; min-height: 2.75rem; box-sizing: border-box; width: 100% }
dl { display: grid; grid-template-columns: minmax(8rem, auto) 1fr; gap: .25rem 1rem }
dt { opacity: .75 }
dd { margin: 0 }
ul { margin: 0; padding: 0; list-style: none }
.notice { padding: .5rem .75rem; border-inline-start: 4px solid currentColor }
[hidden] { display: none }
`
