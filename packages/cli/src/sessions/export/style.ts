/** How an exported page looks. Korean breaks between words, never inside one unless it must. */
export const STYLE = `
:root{color-scheme:light dark;--ink:#1c1c1a;--paper:#fdfdfb;--soft:#6b6b66;--line:#e3e3dd;--block:#f4f4ef;--mine:#eef3fb;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#e6e6e1;--paper:#191a1b;--soft:#9b9b95;--line:#34353a;--block:#222326;--mine:#1f2733;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:50rem;padding:2rem 1rem 4rem;background:var(--paper);color:var(--ink);font:16px/1.65 system-ui,-apple-system,"Apple SD Gothic Neo","Malgun Gothic","Noto Sans KR",sans-serif;word-break:keep-all;overflow-wrap:anywhere;line-break:strict}
h1{font-size:1.5rem;line-height:1.3}
h2{margin:0 0 .4rem;font-size:.9rem;color:var(--soft)}
h2 span{font-weight:400}
h3,h4,h5,h6{margin:1rem 0 .4rem;font-size:1rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem;font-size:.85rem;color:var(--soft)}
dd{margin:0}
article{margin:1.2rem 0;padding:.2rem 0}
article.user{padding:.8rem 1rem;border-radius:.6rem;background:var(--mine)}
p{margin:.5rem 0;white-space:pre-wrap}
.note{font-size:.85rem;color:var(--soft)}
code,pre{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"D2Coding",monospace}
code{padding:.1em .3em;border-radius:.25rem;background:var(--block)}
pre{margin:.5rem 0;padding:.7rem .9rem;border-radius:.4rem;background:var(--block);overflow-x:auto;white-space:pre;word-break:normal;overflow-wrap:normal;tab-size:4}
pre code{padding:0;background:none}
details{margin:.4rem 0;padding-left:.7rem;border-left:3px solid var(--line);font-size:.9rem}
details.error,details.denied{border-left-color:var(--bad)}
summary{cursor:pointer;color:var(--soft)}
img{max-width:100%;height:auto}
a{color:inherit}
@media print{body{max-width:none}pre{white-space:pre-wrap}}
`
