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
ul,ol{margin:.5rem 0;padding-left:1.6rem}
li{margin:.15rem 0}
li>p,li>ul,li>ol{margin:.15rem 0}
li.task{list-style:none}
li.task>input{float:left;width:.95rem;height:.95rem;margin:.35rem 0 0 -1.4rem}
blockquote{margin:.6rem 0;padding:.1rem 0 .1rem .9rem;border-left:3px solid var(--line);color:var(--soft)}
hr{margin:1.2rem 0;border:0;border-top:1px solid var(--line)}
.table{margin:.6rem 0;overflow-x:auto}
table{border-collapse:collapse;font-size:.95em}
th,td{min-width:4rem;padding:.35rem .8rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;overflow-wrap:normal}
th{border-bottom-width:2px}
td code{white-space:nowrap}
.right{text-align:right}
.centre{text-align:center}
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
@media (max-width:40rem){table{width:max-content}th,td{max-width:16rem}}
@media print{body{max-width:none}pre{white-space:pre-wrap}}
`
