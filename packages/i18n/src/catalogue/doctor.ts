import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** What `maru doctor` finds, and what to do. */
export const doctor = defineSubject('doctor', () =>
  defineMessages({
    'doctor.details': {
      en: 'Each line is ok, a warning or a problem. It exits with 1 if there is a problem.\nNo model is called, and no key is shown.',
      ko: '줄마다 정상, 주의, 문제 가운데 하나로 표시합니다. 문제가 있으면 종료 코드는 1입니다.\n모델을 호출하지 않으며 키도 보여 주지 않습니다.',
    },
    'doctor.status.ok': { en: 'ok', ko: '정상' },
    'doctor.status.warning': { en: 'warning', ko: '주의' },
    'doctor.status.problem': { en: 'problem', ko: '문제' },
    'doctor.summary': {
      en: '{problems} {problems|problem|problems}, {warnings} {warnings|warning|warnings}',
      ko: '문제 {problems}개, 주의 {warnings}개',
    },
    'doctor.too-slow': {
      en: 'Looking at "{id}" took longer than {n} {n|second|seconds}',
      ko: '"{id}" 점검이 {n}초 안에 끝나지 않았습니다',
    },
    'doctor.failed': { en: 'Looking at "{id}" failed: {reason}', ko: '"{id}"{id|을|를} 점검하지 못했습니다: {reason}' },
    'doctor.node.ok': { en: 'Node {version}', ko: 'Node {version}' },
    'doctor.node.old': {
      en: 'Node {version} is too old: {needed} or newer is needed',
      ko: 'Node {version}{version|은|는} 너무 오래되었습니다. {needed} 이상이 필요합니다',
    },
    'doctor.node.hint': {
      en: 'Install a newer Node from https://nodejs.org',
      ko: 'https://nodejs.org 에서 새 버전을 설치하십시오',
    },
    'doctor.program.ok': { en: '{name} {version}', ko: '{name} {version}' },
    'doctor.program.missing': { en: '{name} was not found', ko: '{name}{name|을|를} 찾을 수 없습니다' },
    'doctor.program.broken': {
      en: '{name} does not run: {reason}',
      ko: '{name}{name|이|가} 실행되지 않습니다: {reason}',
    },
    'doctor.git.hint': {
      en: 'Install git: without it, a folder is all there is, with no history to compare with',
      ko: 'git을 설치하십시오. 없으면 폴더로만 다루며, 비교할 이력이 없습니다',
    },
    'doctor.git.old': {
      en: 'Install git {needed} or newer: older ones can be made to run programs by a planted repository',
      ko: 'git {needed} 이상을 설치하십시오. 이전 버전은 악의적인 저장소가 시키는 프로그램을 실행할 수 있습니다',
    },
    'doctor.ripgrep.hint': {
      en: 'Install Maru again: the ripgrep it brings along is missing, and searching is slower without it',
      ko: 'Maru를 다시 설치하십시오. 함께 오는 ripgrep이 없어서 검색이 느립니다',
    },
    'doctor.sandbox.full': { en: 'Sandbox: full (bubblewrap)', ko: '샌드박스: full (bubblewrap)' },
    'doctor.sandbox.full-shared-proc': {
      en: 'Sandbox: full (bubblewrap, without a /proc of its own)',
      ko: '샌드박스: full (bubblewrap, 별도의 /proc 없음)',
    },
    'doctor.sandbox.missing': {
      en: 'Sandbox: none, bubblewrap (bwrap) was not found',
      ko: '샌드박스: none, bubblewrap(bwrap)을 찾을 수 없습니다',
    },
    'doctor.sandbox.refused': {
      en: 'Sandbox: none, bubblewrap is there but this system does not let it work',
      ko: '샌드박스: none, bubblewrap은 있지만 이 시스템에서 동작하지 않습니다',
    },
    'doctor.sandbox.unsupported': {
      en: 'Sandbox: none, for this system there is none yet',
      ko: '샌드박스: none, 이 시스템에서는 아직 지원하지 않습니다',
    },
    'doctor.sandbox.install': {
      en: 'Install bubblewrap (apt, dnf, pacman or apk: "install bubblewrap"); until then you are asked more often',
      ko: 'bubblewrap을 설치하십시오(apt, dnf, pacman, apk의 "bubblewrap" 패키지). 그전에는 승인을 더 자주 묻습니다',
    },
    'doctor.sandbox.allow': {
      en: 'Allow user namespaces: sysctl kernel.unprivileged_userns_clone=1 (Debian), kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu), user.max_user_namespaces above 0; in a container, a security option that lets it. Until then you are asked more often',
      ko: '사용자 네임스페이스를 허용하십시오. sysctl kernel.unprivileged_userns_clone=1(Debian), kernel.apparmor_restrict_unprivileged_userns=0(Ubuntu), user.max_user_namespaces를 0보다 크게, 컨테이너라면 이를 허용하는 보안 옵션이 필요합니다. 그전에는 승인을 더 자주 묻습니다',
    },
    'doctor.sandbox.asked': {
      en: 'You are asked more often instead',
      ko: '대신 승인을 더 자주 묻습니다',
    },
    'doctor.sandbox.broken': {
      en: 'The sandbox does not hold what it should: {list}',
      ko: '샌드박스가 막아야 할 것을 막지 못합니다: {list}',
    },
    'doctor.sandbox.report': {
      en: 'Do not rely on it: use --mode ask, and report this with the versions of bubblewrap and the kernel',
      ko: '샌드박스를 믿지 마십시오. --mode ask를 쓰고, bubblewrap과 커널의 버전과 함께 알려 주십시오',
    },
    'doctor.sandbox.promise.write-outside': { en: 'writes outside the workspace', ko: '작업 공간 밖 쓰기' },
    'doctor.sandbox.promise.protected': {
      en: 'protected files: hooks, settings of git, new .envrc',
      ko: '보호된 파일: hook, git 설정, 새 .envrc',
    },
    'doctor.sandbox.promise.secrets': {
      en: 'keys in ~/.ssh, environments of others',
      ko: '~/.ssh의 키, 다른 프로세스의 환경 변수',
    },
    'doctor.sandbox.promise.network': { en: 'the network', ko: '네트워크' },
    'doctor.sandbox.promise.processes': { en: 'other processes', ko: '다른 프로세스' },
    'doctor.sandbox.promise.work': { en: 'commands work inside', ko: '안에서 명령이 동작함' },
    'doctor.config.none': { en: 'No {file}', ko: '{file} 없음' },
    'doctor.config.ok': { en: '{file} is valid', ko: '{file}에 문제가 없습니다' },
    'doctor.config.wrong': {
      en: '{file} has {n} {n|problem|problems}',
      ko: '{file}에 문제가 {n}개 있습니다',
    },
    'doctor.config.hint': { en: 'Correct the file; nothing was changed', ko: '파일을 고치십시오. 바뀐 것은 없습니다' },
    'doctor.config.exposed': {
      en: '{file} holds keys and others on this machine can read it',
      ko: '{file}에 키가 있는데 이 컴퓨터의 다른 사용자가 읽을 수 있습니다',
    },
    'doctor.providers.none': { en: 'No key for any provider', ko: '설정된 API 키가 없습니다' },
    'doctor.providers.ok': { en: 'Keys: {list}', ko: 'API 키: {list}' },
    'doctor.providers.other': {
      en: 'No key for {provider}, which is chosen; there are: {list}',
      ko: '선택한 {provider}의 키가 없습니다. 설정된 키: {list}',
    },
    'doctor.providers.command': { en: 'from a command', ko: '명령으로 얻음' },
    'doctor.providers.hint': {
      en: 'Set {variable}, or run: maru config set keys.{provider} -',
      ko: '{variable}{variable|을|를} 설정하거나 다음을 실행하십시오: maru config set keys.{provider} -',
    },
    'doctor.providers.address': {
      en: 'Provider {provider} at {url}, without a key',
      ko: '공급자 {provider}: {url}, 키 없음',
    },
    'doctor.local.found': { en: 'Models on this machine: {list}', ko: '이 컴퓨터의 모델: {list}' },
    'doctor.local.none': {
      en: 'No model server on this machine; ports asked: {ports}',
      ko: '이 컴퓨터에 모델 서버가 없습니다. 확인한 포트: {ports}',
    },
    'doctor.local.silent': {
      en: '{url}, which is configured, lists no model',
      ko: '설정된 주소 {url}에서 모델 목록을 받지 못했습니다',
    },
    'doctor.local.start': {
      en: 'Start the server there, or set another address: maru config set baseUrl URL',
      ko: '서버를 시작하거나 다른 주소를 설정하십시오: maru config set baseUrl URL',
    },
    'doctor.completions.ok': {
      en: 'Completions for {shell} are installed',
      ko: '{shell} 자동 완성이 설치되어 있습니다',
    },
    'doctor.completions.none': {
      en: 'Completions for {shell} are not installed',
      ko: '{shell} 자동 완성이 설치되어 있지 않습니다',
    },
    'doctor.data.ok': { en: 'Data directory {path}', ko: '데이터 디렉터리 {path}' },
    'doctor.data.new': {
      en: 'Data directory {path} is made when it is first needed',
      ko: '데이터 디렉터리 {path}{path|은|는} 처음 필요할 때 만듭니다',
    },
    'doctor.data.cannot-create': {
      en: 'Data directory {path} cannot be made: {parent} is not writable',
      ko: '데이터 디렉터리 {path}{path|을|를} 만들 수 없습니다. {parent}에 쓸 권한이 없습니다',
    },
    'doctor.data.not-directory': {
      en: 'Data directory {path} is not a directory',
      ko: '데이터 디렉터리 {path}{path|은|는} 디렉터리가 아닙니다',
    },
    'doctor.data.read-only': {
      en: 'Data directory {path} is not writable',
      ko: '데이터 디렉터리 {path}에 쓸 수 없습니다',
    },
    'doctor.data.hint': {
      en: 'Make it writable, or name another directory with MARU_HOME',
      ko: '쓸 수 있게 하거나 MARU_HOME으로 다른 디렉터리를 지정하십시오',
    },
    'doctor.data.open': {
      en: 'Data directory {path} can be opened by others on this machine',
      ko: '이 컴퓨터의 다른 사용자가 데이터 디렉터리 {path}{path|을|를} 열 수 있습니다',
    },
    'doctor.disk.free': { en: '{size} free on the disk', ko: '디스크 여유 공간 {size}' },
    'doctor.disk.hint': {
      en: 'Make room: sessions are stored as they happen',
      ko: '공간을 확보하십시오. 세션은 진행되는 대로 저장됩니다',
    },
    'doctor.sessions.ok': { en: '{n} {n|session|sessions}, {size}', ko: '세션 {n}개, {size}' },
    'doctor.sessions.at-least': {
      en: 'At least {n} {n|session|sessions}, {size}',
      ko: '세션 {n}개 이상, {size} 이상',
    },
    'doctor.sessions.open': {
      en: '{n} {n|file|files} of sessions can be read by others on this machine',
      ko: '이 컴퓨터의 다른 사용자가 읽을 수 있는 세션 파일이 {n}개 있습니다',
    },
    'doctor.sessions.over': {
      en: 'That is more than your limit of {limit} (disk.maxMegabytes)',
      ko: '설정한 한도 {limit}(disk.maxMegabytes)를 넘었습니다',
    },
    'doctor.terminal.ok': { en: 'Terminal: {abilities}, language {lang}', ko: '터미널: {abilities}, 언어 {lang}' },
    'doctor.terminal.true-colour': { en: 'true colours', ko: '트루 컬러' },
    'doctor.terminal.colours': { en: '{n} colours', ko: '{n}색' },
    'doctor.terminal.columns': { en: '{n} columns', ko: '{n}칸 너비' },
    'doctor.terminal.narrow': {
      en: 'The terminal has {n} columns: lines will be broken',
      ko: '터미널의 너비가 {n}칸이어서 줄이 잘려 보입니다',
    },
    'doctor.terminal.widen': { en: 'Make it {n} columns wide or more', ko: '{n}칸 이상으로 넓히십시오' },
    'doctor.terminal.plain': { en: 'no colours', ko: '색 사용 안 함' },
    'doctor.terminal.not-utf8': {
      en: 'Terminal: the locale is not UTF-8, so Korean and other scripts may be garbled',
      ko: '터미널: 로캘이 UTF-8이 아니어서 한글이 깨질 수 있습니다',
    },
    'doctor.language.unknown': {
      en: 'MARU_LANG is "{lang}", which is none of: {choices}',
      ko: 'MARU_LANG의 값 "{lang}"{lang|은|는} 쓸 수 없습니다. 쓸 수 있는 값: {choices}',
    },
  }),
)
