import { type Language, NUMBER, type Rule, spanning, stringRule, type Words, wordRule, wordsOf } from './language.ts'

const LINE_COMMENT: Rule = { match: String.raw`\/\/.*`, token: 'comment' }
const BLOCK = spanning('comment', { open: String.raw`\/\*`, close: String.raw`\*\/`, token: 'comment' })

/** A language with `//`, `/* … *\/` and words; its own rules come first. */
function cLike(words: Words, own: readonly Rule[], modes: Language['modes'] = {}): Language {
  const start = [...own, LINE_COMMENT, BLOCK.rule, stringRule('"'), NUMBER, wordRule(words)]
  return { modes: { start, ...BLOCK.modes, ...modes } }
}

const JS_WORDS = wordsOf({
  keyword:
    'abstract as asserts async await break case catch class const continue debugger declare default delete do else enum export extends finally for from function get if implements import in infer instanceof interface is keyof let namespace new of override private protected public readonly return satisfies set static super switch this throw try type typeof unique using var void while with yield',
  type: 'any bigint boolean never number object string symbol unknown Array Map Set Promise Record Partial Readonly Error Date RegExp',
  constant: 'true false null undefined NaN Infinity',
})

// A slash begins an expression only where no value can stand before it.
const EXPRESSION: Rule = {
  match: String.raw`(?<=(?:^|[=(,:\[!&|?{};]|return) {0,20})\/(?![*\/])(?:[^\/\\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[a-z]*`,
  token: 'string',
}
const JS_RULES: readonly Rule[] = [
  EXPRESSION,
  stringRule("'"),
  { match: '`', token: 'string', mode: 'template' },
  { match: String.raw`@[\p{L}_$][\p{L}\p{N}_$]*`, token: 'name' },
]
const JS_INSIDE = [...JS_RULES, LINE_COMMENT, BLOCK.rule, stringRule('"'), NUMBER, wordRule(JS_WORDS)]

const javascript = cLike(JS_WORDS, JS_RULES, {
  template: [
    { match: '`', token: 'string', mode: 'back' },
    { match: String.raw`\$\{`, token: 'keyword', mode: 'inside' },
    { match: String.raw`\\.?`, token: 'string' },
    { match: String.raw`[^\\$${'`'}]+`, token: 'string' },
    { match: '.', token: 'string' },
  ],
  // What stands between ${ and } is code; braces inside it are counted by the modes themselves.
  inside: [
    { match: String.raw`\}`, token: 'keyword', mode: 'back' },
    { match: String.raw`\{`, mode: 'braces' },
    ...JS_INSIDE,
  ],
  braces: [{ match: String.raw`\}`, mode: 'back' }, { match: String.raw`\{`, mode: 'braces' }, ...JS_INSIDE],
})

const RAW = spanning('raw', { open: '`', close: '`', token: 'string' })
const go = cLike(
  wordsOf({
    keyword:
      'break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var',
    type: 'any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr',
    constant: 'true false nil iota',
  }),
  [stringRule("'"), RAW.rule],
  RAW.modes,
)

const rust = cLike(
  wordsOf({
    keyword:
      'as async await break const continue crate dyn else enum extern fn for if impl in let loop macro_rules match mod move mut pub ref return self Self static struct super trait type unsafe use where while yield',
    type: 'bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize Option Result String Vec Box Rc Arc HashMap HashSet',
    constant: 'true false None Some Ok Err',
  }),
  [
    // A lifetime is no letter in quotes.
    { match: String.raw`'(?:[^'\\]|\\.[^']{0,9})'`, token: 'string' },
    { match: String.raw`'[a-z_]\w*`, token: 'name' },
    { match: String.raw`#!?\[[^\]]*\]?`, token: 'name' },
    { match: String.raw`[a-z_]\w*!(?=[(\[{ ])`, token: 'name' },
  ],
)

const TEXT_BLOCK = spanning('text', { open: '"""', close: '"""', token: 'string', hasEscapes: true })
const ANNOTATION: Rule = { match: String.raw`@[\p{L}_][\p{L}\p{N}_.]*`, token: 'name' }

const java = cLike(
  wordsOf({
    keyword:
      'abstract actual annotation as assert break by case catch class companion const constructor continue crossinline data default do else enum expect extends external final finally for fun get if implements import in infix init inline inner instanceof interface internal is lateinit native new non-sealed noinline object open operator out override package permits private protected public record reified return sealed set static strictfp super suspend switch synchronized tailrec this throw throws transient try typealias val value var vararg void volatile when where while yield',
    type: 'boolean byte char double float int long short Any Array Boolean Byte Char Double Float Int Integer List Long Map MutableList MutableMap Nothing Object Set Short String Unit',
    constant: 'true false null',
  }),
  [TEXT_BLOCK.rule, stringRule("'"), ANNOTATION],
  TEXT_BLOCK.modes,
)

const c = cLike(
  wordsOf({
    keyword:
      'alignas alignof asm auto break case catch class co_await co_return co_yield concept const constexpr consteval const_cast continue decltype default delete do dynamic_cast else enum explicit export extern final for friend goto if inline mutable namespace new noexcept operator override private protected public register reinterpret_cast requires restrict return sizeof static static_assert static_cast struct switch template this thread_local throw try typedef typeid typename union using virtual volatile while',
    type: 'bool char char8_t char16_t char32_t double float int int8_t int16_t int32_t int64_t long short signed size_t ssize_t uint8_t uint16_t uint32_t uint64_t unsigned void wchar_t string vector map',
    constant: 'true false NULL nullptr',
  }),
  [{ match: String.raw`^\s*#\s*\w+`, token: 'keyword' }, stringRule("'")],
)

/** Languages with braces and slashes. */
export const cLikeLanguages = { javascript, go, rust, java, c }
