import { decodeWindows1252 } from '../../text/windows-1252.ts'

// The names of HTML 4 for U+00A0 to U+00FF, in their order.
const LATIN1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
  'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave ' +
  'Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc ' +
  'Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc ' +
  'iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml'

const GREEK_CAPITALS =
  'Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho _ Sigma Tau Upsilon Phi Chi Psi Omega'
const GREEK_SMALL =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega'

// Names and characters in turn.
const OTHERS =
  'amp & lt < gt > quot " apos \' AMP & LT < GT > QUOT " COPY © REG ® OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ fnof ƒ circ ˆ ' +
  'tilde ˜ ndash – mdash — horbar ― hyphen ‐ lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ dagger † Dagger ‡ bull • ' +
  'hellip … permil ‰ prime ′ Prime ″ lsaquo ‹ rsaquo › oline ‾ frasl ⁄ euro € image ℑ weierp ℘ real ℜ trade ™ alefsym ℵ ' +
  'larr ← uarr ↑ rarr → darr ↓ harr ↔ crarr ↵ lArr ⇐ uArr ⇑ rArr ⇒ dArr ⇓ hArr ⇔ forall ∀ part ∂ exist ∃ empty ∅ nabla ∇ ' +
  'isin ∈ notin ∉ ni ∋ prod ∏ sum ∑ minus − lowast ∗ radic √ prop ∝ infin ∞ ang ∠ and ∧ or ∨ cap ∩ cup ∪ int ∫ there4 ∴ ' +
  'sim ∼ cong ≅ asymp ≈ ne ≠ equiv ≡ le ≤ ge ≥ sub ⊂ sup ⊃ nsub ⊄ sube ⊆ supe ⊇ oplus ⊕ otimes ⊗ perp ⊥ sdot ⋅ lceil ⌈ ' +
  'rceil ⌉ lfloor ⌊ rfloor ⌋ lang ⟨ rang ⟩ loz ◊ check ✓ cross ✗ star ☆ spades ♠ clubs ♣ hearts ♥ diams ♦ lbrace { lcub { ' +
  'rbrace } rcub } lbrack [ lsqb [ rbrack ] rsqb ] lpar ( rpar ) num # dollar $ percnt % ast * plus + comma , period . ' +
  'sol / bsol \\ colon : semi ; equals = quest ? excl ! commat @ lowbar _ grave ` Hat ^ vert | verbar | zwnj \u200c zwj \u200d'

// What is a blank, or nothing, to a reader.
const BLANKS = { ensp: ' ', emsp: ' ', thinsp: ' ', hairsp: ' ', numsp: ' ', Tab: '\t', NewLine: '\n' }
const NOTHING = { lrm: '', rlm: '', ZeroWidthSpace: '' }

const named = new Map<string, string>([
  ...inOrder(LATIN1, 0xa0),
  ...inOrder(GREEK_CAPITALS, 0x391),
  ...inOrder(GREEK_SMALL, 0x3b1),
  ...[...OTHERS.matchAll(/(\S+) (\S+)/g)].map(([, name = '', character = '']): [string, string] => [name, character]),
  ...Object.entries({ ...BLANKS, ...NOTHING }),
])

function inOrder(names: string, first: number): [string, string][] {
  return names.split(' ').map((name, index) => [name, String.fromCharCode(first + index)])
}

/** Text with its entities decoded; names that are not known stay as they are. */
export function decodeEntities(text: string, where: 'text' | 'attribute' = 'text'): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#x([0-9a-f]{1,8})|#([0-9]{1,8})|([a-z][a-z0-9]{1,24}))(;?)/gi,
    (whole, hex?: string, decimal?: string, name?: string, end = '') => {
      if (hex !== undefined) return characterOf(Number.parseInt(hex, 16))
      if (decimal !== undefined) return characterOf(Number(decimal))
      if (end === '') return where === 'text' ? decodeUnclosed(whole) : whole
      return named.get(name ?? '') ?? whole
    },
  )
}

// The few that people write without their semicolon. In an address, `&copy=` is a parameter.
function decodeUnclosed(whole: string): string {
  return whole.replace(
    /^&(amp|lt|gt|quot|nbsp|copy|reg)(?![a-z0-9])/i,
    (entity, name: string) => named.get(name) ?? entity,
  )
}

function characterOf(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return decodeWindows1252(Uint8Array.of(code)) ?? '\uFFFD'
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\uFFFD'
  return String.fromCodePoint(code)
}
