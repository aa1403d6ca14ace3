import type { Call, Judge } from '../call.ts'
import { checkPath } from '../check-path.ts'
import { resolvePath, spotOf } from '../place.ts'
import { textOf } from './carriers.ts'

/** Containers, clusters and infrastructure: other machines, and ways out of this one. */
export const containers: Record<string, Judge> = {
  docker: contains,
  podman: contains,
  nerdctl: contains,
  'docker-compose': contains,
  buildah: contains,
  kubectl: orchestrates,
  oc: orchestrates,
  helm: orchestrates,
  k9s: orchestrates,
  minikube: orchestrates,
  kind: orchestrates,
  terraform: builds,
  tofu: builds,
  pulumi: builds,
  ansible: builds,
  'ansible-playbook': builds,
  vagrant: builds,
  packer: builds,
  serverless: builds,
  cdk: builds,
  sam: builds,
}

const ESCAPES =
  /(?:^|\s)(?:--privileged|--cap-add[= ]|--pid[= ]host|--net(?:work)?[= ]host|--ipc[= ]host|--userns[= ]host|--uts[= ]host|--device[= ]|--security-opt[= ]|--volumes-from)|docker\.sock|(?:-v|--volume)[= ]?(?:\/|~|\$HOME|\/home|\/etc|\/root|\/var)\S*:|type=bind\S*(?:src|source)=(?:\/|~)/

const MOUNT = /(?:^|\s)(?:-v|--volume)[= ]?(\/[^\s:]*):\S*/g

// What is in the workspace may be seen by what runs there; the rest of the machine may not.
function isInside({ place }: Call, folder: string): boolean {
  return spotOf(resolvePath('/', folder, place), place) === 'inside'
}

function contains(call: Call): void {
  const line = textOf(call.args)
  if (/^(?:--version|-v)$/.test(line)) return
  if (
    /(?:^|\s)(?:-H|--host|-c|--context)[= ]?\S*(?:tcp|ssh):/.test(line) ||
    /^(?:-H|--host)/.test(line) ||
    ESCAPES.test(line.replace(MOUNT, (whole, folder: string) => (isInside(call, folder) ? ' ' : whole)))
  )
    call.privilege(`${call.name} ${line}`)
  if (/\b(?:prune|rm|rmi|kill|down|remove|stop)\b/.test(line)) call.note('irreversible', 'destroys', line)
  else if (/\b(?:push|login|logout)\b/.test(line)) call.note('irreversible', 'publishes', line)
  if (/\b(?:pull|push|run|build|login|search|up)\b/.test(line)) call.reach('*', 'the registry of images')
  call.note('unknown', 'runs-code', line)
  if (/^(?:inspect|cp|exec\b.*\benv)\b/.test(line)) call.note('unknown', 'environment', line)
}

function orchestrates(call: Call): void {
  const line = textOf(call.args)
  call.reach('*', 'the cluster')
  if (
    /\b(?:delete|drain|uninstall|rollback|replace|scale|cordon|taint|patch|apply|rollout|upgrade|install|create|edit|set|label|annotate)\b/.test(
      line,
    )
  )
    call.note('irreversible', 'publishes', line)
  if (/\bget\s+secrets?\b|\bdescribe\s+secrets?\b|config\s+view\b.*--raw|create\s+token/.test(line))
    call.note('hostile', 'credentials', line)
  for (const [at, arg] of call.args.entries())
    if (/^(?:-f|--filename|--kubeconfig)$/.test(call.args[at - 1]?.text ?? '') && !/^https?:/.test(arg.text))
      checkPath(call, arg, 'read')
}

function builds(call: Call): void {
  const line = textOf(call.args)
  if (line === '--version') return
  call.reach('*', call.name)
  call.note('unknown', 'runs-code', line)
  if (/\b(?:apply|destroy|up|taint|import|state|deploy|remove|delete)\b/.test(line) || /playbook/.test(call.name))
    call.note('irreversible', 'publishes', line)
}
