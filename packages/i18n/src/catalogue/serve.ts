import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** The server: what it is started with, what it says of itself, and the conversation that it begins with. */
export const serve = defineSubject('command config option serve', () =>
  defineMessages({
    'command.serve': {
      en: 'Serve history and agents to browsers, phones, terminals',
      ko: '기록과 에이전트를 브라우저, 휴대폰, 터미널에 제공합니다',
    },
    'serve.details': {
      en: 'One process that holds the history and runs agents, for every door. It listens on this machine alone unless told otherwise; to be reached from others it needs --tls, or a reverse proxy and --behind-proxy. Agents work only in the repositories named by --root (the one around the current directory). The printed link lets its first reader in, once. Settings for all of it: "serve" in config.json.',
      ko: '기록을 열고 에이전트를 실행하는 하나의 프로세스로, 모든 화면이 이것을 함께 씁니다. 따로 정하지 않으면 이 컴퓨터에서만 접속할 수 있습니다. 다른 기기에서 접속하려면 --tls를 쓰거나, 리버스 프록시를 두고 --behind-proxy를 쓰십시오. 에이전트는 --root로 정한 저장소(기본값은 현재 디렉터리의 저장소)에서만 일합니다. 출력되는 링크는 처음 연 사람만 한 번 쓸 수 있습니다. 설정은 config.json의 "serve"에 둡니다.',
    },
    'option.serve-host': { en: 'Address to listen on (127.0.0.1)', ko: '접속을 받을 주소 (127.0.0.1)' },
    'option.serve-port': {
      en: 'Port to listen on (4280, or the next free one)',
      ko: '접속을 받을 포트 (4280 또는 그다음 빈 포트)',
    },
    'option.serve-root': {
      en: 'A folder in which agents may work; may be repeated',
      ko: '에이전트가 일할 수 있는 폴더. 여러 번 쓸 수 있습니다',
    },
    'option.allow-origin': {
      en: 'A page elsewhere that may use the API; may be repeated',
      ko: 'API를 쓸 수 있는 다른 사이트. 여러 번 쓸 수 있습니다',
    },
    'option.allow-host': {
      en: 'A name under which it may be reached; may be repeated',
      ko: '접속에 쓸 수 있는 호스트 이름. 여러 번 쓸 수 있습니다',
    },
    'option.behind-proxy': {
      en: 'A reverse proxy on this machine stands before it',
      ko: '이 컴퓨터의 리버스 프록시 뒤에서 동작합니다',
    },
    'option.tls': {
      en: 'Encrypt, with a certificate of this machine',
      ko: '이 컴퓨터의 인증서로 암호화합니다',
    },
    'option.cert': { en: 'Encrypt, with this certificate (PEM)', ko: '이 인증서(PEM)로 암호화합니다' },
    'option.cert-key': { en: 'The key of --cert (PEM)', ko: '--cert의 개인 키(PEM)' },
    'option.pair': { en: 'Print a code that lets a phone in', ko: '휴대폰을 연결할 코드를 출력합니다' },
    'option.demo': {
      en: 'Put a demo conversation into an empty history',
      ko: '기록이 비어 있으면 예시 대화를 넣습니다',
    },
    'config.must.port': {
      en: '"{key}" must be a port: 0 to 65535',
      ko: '"{key}"{key|은|는} 0에서 65535 사이의 포트여야 합니다',
    },
    'config.must.host': {
      en: '"{key}" must be a host like maru.example.org or maru.example.org:8443',
      ko: '"{key}"{key|은|는} maru.example.org나 maru.example.org:8443 같은 호스트여야 합니다',
    },
    'serve.bad-port': {
      en: '--port "{value}" is no port; write 0 to 65535',
      ko: '--port "{value}"{value|은|는} 포트가 아닙니다. 0에서 65535 사이로 쓰십시오',
    },
    'serve.bad-origin': {
      en: '--allow-origin "{value}" is no origin; write it like https://example.com',
      ko: '--allow-origin "{value}"{value|은|는} 출처가 아닙니다. https://example.com처럼 쓰십시오',
    },
    'serve.bad-host': {
      en: '--allow-host "{value}" is no host; write it like maru.example.org or maru.example.org:8443',
      ko: '--allow-host "{value}"{value|은|는} 호스트가 아닙니다. maru.example.org나 maru.example.org:8443처럼 쓰십시오',
    },
    'serve.no-root': { en: 'the root {path} is no folder', ko: '루트 {path}{path|은|는} 폴더가 아닙니다' },
    'serve.exposed': {
      en: '{host} can be reached from other machines, and without TLS everything would cross the network in the clear; add --tls, or give --cert and --key, or put a reverse proxy before it and add --behind-proxy',
      ko: '{host}{host|은|는} 다른 기기에서 접속할 수 있는 주소이며, TLS가 없으면 모든 내용이 암호화되지 않고 오갑니다. --tls를 더하거나, --cert와 --key를 주거나, 리버스 프록시를 두고 --behind-proxy를 더하십시오',
    },
    'serve.cert-and-key': {
      en: '--cert and --key belong together: give both, or --tls',
      ko: '--cert와 --key는 함께 써야 합니다. 둘 다 주거나 --tls를 쓰십시오',
    },
    'serve.wrong-key': {
      en: '{key} is not the key of {cert}',
      ko: '{key}{key|은|는} {cert}의 키가 아닙니다',
    },
    'serve.bad-tls': {
      en: '{cert} and {key} cannot be used: {reason}',
      ko: '{cert}{cert|과|와} {key}{key|을|를} 쓸 수 없습니다: {reason}',
    },
    'serve.port-taken': {
      en: 'port {port} is taken by another program; choose another with --port, or leave it out',
      ko: '포트 {port}{port|은|는} 다른 프로그램이 쓰고 있습니다. --port로 다른 포트를 고르거나 생략하십시오',
    },
    'serve.not-listening': {
      en: 'the server cannot listen on {host}: {reason}',
      ko: '서버가 {host}에서 접속을 받을 수 없습니다: {reason}',
    },
    'serve.already': {
      en: 'a server of this home runs already: {url} (process {pid}); use it, or stop it first',
      ko: '이 홈의 서버가 이미 실행 중입니다: {url} (프로세스 {pid}). 그것을 쓰거나 먼저 멈추십시오',
    },
    'serve.waiting': {
      en: 'another server of this home is starting or stopping; waiting for it',
      ko: '이 홈의 다른 서버가 시작하거나 멈추는 중입니다. 기다립니다',
    },
    'serve.starting': {
      en: 'another server of this home is starting, or does not answer (process {pid}); wait for it or end it, and try again',
      ko: '이 홈의 다른 서버가 시작하는 중이거나 응답하지 않습니다 (프로세스 {pid}). 기다리거나 끝낸 뒤 다시 하십시오',
    },
    'serve.listening': { en: 'Maru is listening on {url}', ko: '마루가 {url}에서 접속을 받고 있습니다' },
    'serve.link': { en: 'Open, once:     {link}', ko: '한 번 열기:     {link}' },
    'serve.terminal': { en: 'In a terminal:  {command}', ko: '터미널에서:     {command}' },
    'serve.api': { en: 'For programs:   {url}', ko: '프로그램에서:   {url}' },
    'serve.roots': { en: 'Agents work in: {roots}', ko: '에이전트 작업:  {roots}' },
    'serve.log': { en: 'Log:            {path}', ko: '로그:           {path}' },
    'serve.fingerprint': { en: 'Certificate:    SHA-256 {fingerprint}', ko: '인증서:         SHA-256 {fingerprint}' },
    'serve.stop': { en: 'Ctrl-C stops it; nothing is lost.', ko: 'Ctrl-C로 멈춥니다. 잃는 것은 없습니다.' },
    'serve.stopping': {
      en: 'stopping; what is being stored is finished first. Ctrl-C again stops at once',
      ko: '멈추는 중입니다. 저장 중인 것을 먼저 마칩니다. Ctrl-C를 다시 누르면 바로 멈춥니다',
    },
    'serve.pairing': {
      en: 'To let a phone in, scan this or open {link} and type {code}; good once, for a few minutes.',
      ko: '휴대폰을 연결하려면 이 코드를 스캔하거나 {link}{link|을|를} 열고 {code}{code|을|를} 입력하십시오. 몇 분 동안 한 번만 쓸 수 있습니다.',
    },
    'serve.pair-local': {
      en: 'only this machine can reach {url}: for a phone, start with --host 0.0.0.0 --tls --pair',
      ko: '{url}{url|은|는} 이 컴퓨터에서만 접속할 수 있습니다. 휴대폰을 연결하려면 --host 0.0.0.0 --tls --pair로 시작하십시오',
    },
    'serve.demo-loaded': {
      en: 'the history was empty: a demo conversation is in it now',
      ko: '기록이 비어 있어 예시 대화를 넣었습니다',
    },
    'serve.demo.title': { en: 'A first look at Maru', ko: '마루 둘러보기' },
    'serve.demo.ask-what': {
      en: 'What is this server for?',
      ko: '이 서버는 무엇을 하나요?',
    },
    'serve.demo.what': {
      en: 'It holds your conversations and runs agents in your repositories. Every door sees the same: a browser, a phone, a second terminal. Whatever happens is written down as a fact first, so that any door can leave and come back without a hole.',
      ko: '대화를 보관하고 저장소에서 에이전트를 실행합니다. 브라우저, 휴대폰, 두 번째 터미널이 모두 같은 것을 봅니다. 일어난 일은 먼저 사실로 기록되므로, 어느 화면에서든 나갔다가 돌아와도 빠진 부분이 없습니다.',
    },
    'serve.demo.ask-search': {
      en: 'How do I find what was said weeks ago?',
      ko: '몇 주 전에 한 말은 어떻게 찾나요?',
    },
    'serve.demo.search': {
      en: 'Search for any part of a word: "serv" finds "server", and so it does in Korean, where endings hang on every word. In a terminal it is: maru search WORDS',
      ko: '낱말의 일부만 써도 찾습니다. 조사가 붙은 말에서도 됩니다. 예를 들어 "웹서버를"은 "서버"로, "데이터베이스에서"는 "베이스"로 찾을 수 있습니다. 터미널에서는 maru search 다음에 찾을 말을 쓰십시오.',
    },
  }),
)
