import type { Context } from './context.ts'
import { addDoubt } from './findings.ts'
import { spotOf } from './place.ts'
import type { Field, Scope } from './scope.ts'

function names(...patterns: string[]): RegExp {
  return new RegExp(`^(?:${patterns.join('|')})$`)
}

// What they hold is run or loaded by programs that nobody named.
const HOSTILE = names(
  'LD_.*|DYLD_.*|GCONV_PATH|GETCONF_DIR|GLIBC_TUNABLES',
  'BASH_ENV|ENV|SHELLOPTS|BASHOPTS|BASH_FUNC_.*|BASH_LOADABLES_PATH|PROMPT_COMMAND|PS[0-4]|EXECIGNORE|ZDOTDIR|INPUTRC',
  'GIT_(?:EXTERNAL_DIFF|SSH|SSH_COMMAND|PROXY_COMMAND|CONFIG.*|EXEC_PATH|DIR|WORK_TREE|TEMPLATE_DIR|OBJECT_DIRECTORY)',
  'GIT_(?:ALTERNATE_.*|ALLOW_PROTOCOL|INDEX_FILE|COMMON_DIR|TRACE.*|ATTR_.*|GLOB_.*|NAMESPACE|CEILING.*)',
  'LESSOPEN|LESSCLOSE|LESSKEY.*|MANOPT|SSH_ASKPASS|SUDO_ASKPASS|DOCKER_HOST',
  'PYTHON(?:STARTUP|HOME|INSPECT|BREAKPOINT|EXECUTABLE|USERBASE)|PERL5.*|PERLLIB|RUBYOPT|RUBYLIB|PHPRC|PHP_INI_.*|LUA_INIT.*',
  'JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|RUSTC_WRAPPER|RUSTC_WORKSPACE_WRAPPER|CARGO_BUILD_RUSTC.*|CARGO_TARGET_.*_(?:RUNNER|LINKER)',
  'NPM_CONFIG_.*|npm_.*|PIP_.*|GOTOOLCHAIN|TAR_OPTIONS|RIPGREP_CONFIG_PATH|GREP_OPTIONS|RSYNC_RSH|VIMINIT|EXINIT|AWKPATH|AWKLIBPATH',
)
// Usual enough, and harmless, unless what they name is a program of somebody's.
const SUSPECT = names(
  '(?:.*_)?(?:PAGER|EDITOR)|VISUAL|BROWSER|SHELL|LESS|MORE|NODE_OPTIONS|MAKEFLAGS|MFLAGS|GNUMAKEFLAGS|MAKEFILES|MAKE|GOFLAGS',
  'CC|CXX|CPP|LD|AR|AS|RUSTC|RUSTDOC|RUSTFLAGS|CARGO|MAVEN_OPTS|GRADLE_OPTS|JAVA_OPTS|PYTEST_ADDOPTS|PYTEST_PLUGINS|.*ASKPASS',
)
// Harmless before a command, whatever their value.
const HARMLESS = names(
  'CI|LANG|LANGUAGE|LC_[A-Z]+|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|TERM|COLUMNS|LINES|NODE_ENV|DEBUG|LOG_LEVEL',
  'RUST_LOG|RUST_BACKTRACE|CARGO_TERM_COLOR|GIT_TERMINAL_PROMPT|GIT_OPTIONAL_LOCKS|PYTHONUNBUFFERED|PYTHONHASHSEED',
  'PYTHONDONTWRITEBYTECODE|PYTHONIOENCODING|PYTHONUTF8|GO111MODULE|GOOS|GOARCH|CGO_ENABLED|VERBOSE|QUIET|TIMEFORMAT',
)
// Bash itself reads them, or they are in the environment of what runs later.
const SPECIAL = names(
  'IFS|BASH.*|COMP.*|CDPATH|GLOBIGNORE|DIRSTACK|E?UID|FIGNORE|FUNC.*|GROUPS|HIST.*|histchars|HOST.*|OPT.*|PWD|OLDPWD',
  'READLINE.*|REPLY|SECONDS|RANDOM|TMOUT|USER|LOGNAME|auto_resume|SHLVL|_|HOME|XDG_.*|TMPDIR|POSIXLY_CORRECT|MAIL.*',
  'PYTHON.*|NODE_.*|GO[A-Z]+|CARGO_.*|RUST.*|JAVA_.*|GRADLE_.*|MAVEN_.*|https?_proxy|all_proxy|no_proxy|[A-Z]+_PROXY',
  'GIT_.*|DOCKER_.*|AWS_.*|KUBE.*|YARN_.*|PNPM_.*|BUN_.*|DENO_.*|VIRTUAL_ENV|CLASSPATH|[A-Z]+FLAGS|LOCPATH|NLSPATH|TERM.*',
)
// Programs that do nothing, as a pager or an editor.
const NO_PROGRAM = /^(?:cat|true|:|)$/

interface Around {
  readonly scope: Scope
  readonly context: Context
  /** It is only for the command behind it. */
  readonly isForCommand?: boolean
  readonly isAppended?: boolean
}

/** Judges an assignment and remembers it. */
export function assign(name: string, value: Field, { scope, context, isForCommand, isAppended }: Around): void {
  judgeVariable(name, value, { context, isExported: isForCommand ?? false })
  if (isForCommand) return
  const isSure = scope.isStraight && !isAppended
  scope.variables.set(name, isSure ? value : { ...value, isExact: false })
}

/** Says where setting a variable may change what programs do. */
export function judgeVariable(
  name: string,
  value: Field,
  { context, isExported }: { context: Context; isExported: boolean },
): void {
  if (HARMLESS.test(name)) return
  if (HOSTILE.test(name) && isMild(name, value)) context.doubt('variable', name)
  else if (HOSTILE.test(name) || isHostileValue(name, value, context)) {
    addDoubt(context.findings, { code: 'hostile-variable', program: 'bash', what: name }, 'hostile')
  } else if (SUSPECT.test(name) && value.isExact && NO_PROGRAM.test(value.text)) return
  else if (isExported || SPECIAL.test(name) || SUSPECT.test(name) || name === 'PATH') context.doubt('variable', name)
}

// Values with which even these do nothing: none at all, a switch, a prompt of plain text, how much is said.
function isMild(name: string, { text, isExact }: Field): boolean {
  if (!isExact) return false
  if (text === '' || /^PS[0-4]$/.test(name)) return !/[$`\\]\S/.test(text)
  if (name.startsWith('GIT_TRACE')) return /^(?:\d|true|false)$/.test(text)
  return MILD.test(name) && /^[\w-]*$/.test(text)
}

const MILD = names(
  '(?:npm|NPM)_(?:config|CONFIG)_(?:loglevel|LOGLEVEL|progress|color|fund|audit|update_notifier|yes)',
  'PIP_(?:DISABLE_PIP_VERSION_CHECK|NO_INPUT|NO_COLOR|QUIET|VERBOSE|PROGRESS_BAR|NO_CACHE_DIR)',
)

function isHostileValue(name: string, { text, isExact }: Field, { place }: Context): boolean {
  if (SUSPECT.test(name))
    return (
      /[/!|;&$`'"]|(?:^|\s)-(?:-require|-import|-loader|r|-experimental-loader)\b|\s-c\b/.test(text) ||
      (!isExact && name !== 'LESS')
    )
  if (name !== 'PATH') return false
  // A folder of the workspace, or of anybody, in front of the system's.
  return text.split(':').some((folder) => {
    if (folder === '' || folder.startsWith('.')) return true
    if (!folder.startsWith('/')) return /^[\w.]/.test(folder)
    return ['inside', 'temporary'].includes(spotOf(folder, place))
  })
}
