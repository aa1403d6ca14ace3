// Put together here, so that no file of the repository holds what looks like a real key.
const body = 'Jdc4APKtME9BSjo4Lw1LlI3RGTRZwMlOM8Ix'
const hex = '7ac6f60fb5cd77bf0313260ebd3d6f0b9c1ac986cb77b3217a0dec86e9327826'
const uuid = '0c896447-832a-4636-91c6-83aa7f6cdccd'
const password = 'odXmeX!uLJY6f8q'
const pem = [
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgl6X16Oe6sRPiAfEs',
  'e/R86/e/QP648fCvrn9+M/f1L4ShRANCAATO9EJvPcc',
]
const begin = (kind: string) => `-----BEGIN ${kind}-----`
const end = (kind: string) => `-----END ${kind}-----`
const encoded = btoa(`${begin('PRIVATE KEY')}\n${pem.join('\n')}\n${end('PRIVATE KEY')}\n`)
const inLines = encoded.match(/.{1,76}/g) ?? []

/** Texts and what must not be left of them: how secrets stand in code, files and sentences beside the usual ways. */
export const MORE_SECRETS: readonly (readonly [what: string, text: string, ...secrets: string[]])[] = [
  ['a password with its type, in TypeScript', `let dbPassword: string = "${password}";`, password],
  ['a password with its type, in Python', `password: str = "${password}"`, password],
  ['a key with its type, in Rust', `const API_KEY: &str = "${body}";`, body],
  ['a password in an attribute', `<add key="Password" value="${password}" />`, password],
  ['a value beside its name in JSON', `{"name":"DB_PASSWORD","value":"${password}"}`, password],
  ['a key in strings.xml', `<string name="api_key">${body}</string>`, body],
  ['a password that is handed to a method', `builder.password("${password}")`, password],
  ['a password that is set', `user.setPassword('${password}');`, password],
  ['a password that C defines', `#define WIFI_PASSWORD "${password}"`, password],
  ['a password of a Dockerfile', `ENV DB_PASSWORD ${password}`, password],
  ['a password in PowerShell', `ConvertTo-SecureString "${password}" -AsPlainText -Force`, password],
  ['a password that is told', `The password is ${password}`, password],
  ['a password that is told in Korean', `비밀번호는 ${password} 입니다`, password],
  ['a password that was changed, in Korean', `비밀번호를 ${password}(으)로 변경했습니다`, password],
  ['a password in brackets, in Korean', `임시 비밀번호 [${password}] 가 발급되었습니다`, password],
  ['a password on a line of its own', `machine a.b\n  login c\n  password ${uuid}`, uuid],
  ['a password in a log', 'DEBUG login user=bob password=Monkey_89', 'Monkey_89'],
  ['a key by two words', `API key: ${hex.slice(0, 32)}`, hex.slice(0, 32)],
  ['a key by two words, in Korean', `카카오 REST API 키: ${hex.slice(0, 32)}`, hex.slice(0, 32)],
  ['a key that is told in Korean', `공공데이터 인증키(${hex})`, hex],
  ['a key behind a scheme of its own', `Authorization: KakaoAK ${hex.slice(0, 32)}`, hex.slice(0, 32)],
  ['a key of small letters and digits', 'APP_KEY=aqc31wjxzxpnvufdxzl0uztaxi6ca719', 'aqc31wjxzxpnvufdxzl0'],
  ['a signature that opens a file', `https://b.example.com/k?X-Amz-Signature=${hex}`, hex],
  [
    'a webhook of Teams',
    `https://acme.webhook.office.com/webhookb2/${uuid}@${uuid}/IncomingWebhook/${hex.slice(32)}/${uuid}`,
    hex.slice(32),
    uuid,
  ],
  ['a token of Braintree', `use ${'access_token'}$production$zqbov7odlgzgzohq$${hex.slice(32)} here`, hex.slice(32)],
  ['a token of Plaid', `Error: 401 for key ${'access'}-production-${uuid}`, uuid],
  ['a key of LaunchDarkly', `const key = "${'sdk'}-${uuid}"`, uuid],
  ['a key of Firecrawl', `key ${'fc'}-${hex.slice(0, 32)} at`, hex.slice(0, 32)],
  ['an organisation of Stripe', `key ${'sk'}_org_live_${body} at`, body],
  ['a key of Mailgun', `key ${hex.slice(0, 32)}-${hex.slice(0, 8)}-${hex.slice(8, 16)} at`, hex.slice(0, 32)],
  ['a private key in base64', encoded, encoded],
  ['a private key in base64 over lines', inLines.join('\n'), ...inLines],
  [
    'an encrypted private key in a diff',
    `+${begin('RSA PRIVATE KEY')}\n+Proc-Type: 4,ENCRYPTED\n+\n+${pem.join('\n+')}\n+${end('RSA PRIVATE KEY')}`,
    ...pem,
  ],
  [
    'an encrypted private key in code',
    `"${begin('RSA PRIVATE KEY')}\\n" +\n"Proc-Type: 4,ENCRYPTED\\n" +\n"\\n" +\n"${pem.join('\\n" +\n"')}\\n"`,
    ...pem,
  ],
  [
    'a private key in a log',
    [begin('PRIVATE KEY'), ...pem, end('PRIVATE KEY')].map((line) => `2026-01-15T12:00:00.123Z ${line}`).join('\n'),
    ...pem,
  ],
  [
    'a key that a terminal wrapped early',
    `token: ${'shpat'}_0ce75817def\nf8109b2a70ccceaa6dadb`,
    '0ce75817def',
    'f8109b2a70cc',
  ],
  ['a resident number with blanks', '주민번호 590912 - 2540401', '2540401'],
  ['a mobile number of an old network from abroad', '연락처 +82-16-3968-4962', '16-3968-4962'],
  ['a mobile number with brackets', '(010) 3968-4962', '3968-4962'],
  ['a mobile number with both of its beginnings', '+82 (0)10-3968-4962', '3968-4962'],
  ['a driving licence in one piece', '운전면허번호 118516257018', '118516257018'],
  ['a driving licence with its region', '운전면허번호 서울 85-162570-18', '85-162570-18'],
  ['a Diners card in groups', '3812-070673-4995', '070673'],
]

/** Texts that stay as they are: names, code and numbers that look like secrets at first sight. */
export const MORE_CLEAN: readonly string[] = [
  `const token = \`maru_${'$'}{randomBytes(32).toString('base64url')}\``,
  'const NO_PASSWORD = /^:?\\d{2,5}\\//i',
  'my $Token = qr/[\\x21\\x23-\\x27\\x2A\\x2B\\x2D\\x2E\\x30-\\x39\\x41-\\x5A]/;',
  'const password = match?.[2]',
  "['equals', (length) => 'password='.repeat(length / 9)],",
  '"output_token": "Jobs[-1].JobId"',
  '"AWS::SecretsManager::Secret": "c85175a4ebcce361"',
  'arn:aws:secretsmanager:us-west-2:123456789012:secret:MyDbSecret-a1b2c3',
  "KMS_KEY_ID_KEY = 'fs.s3.cse.kms.keyId'",
  '"METHOD can be "trust", "md5", "password", "scram-sha-256""',
  "'PKObject', 'PKPass', 'PKPassLibrary', 'PKPayment'",
  "splitpasswd('user+1:a+b')",
  '#define GL_STENCIL_PASS_DEPTH_PASS        0x0B96',
  '암호: AES-256-GCM, 암호화: TLS1.3',
  '비밀번호는 SHA-256으로 저장합니다. 비밀번호를 Base64로 보내지 마세요.',
  '비밀번호는 8~16자, 영문과 숫자 조합',
  'password is Base64 encoded, the password is stored in 1Password8',
  'Authorization: AWS4-HMAC-SHA256 Credential=x',
  `Authorization: Basic ${btoa('Aladdin:open sesame')}`,
  `Authorization: Basic ${btoa('username:password')}`,
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  `public_key = "ighTyEaGEwlc94L1gaue60Ds4+FekFQSa6isLlIkhUj="`,
  `"nextPageToken": "${body}", --lock-token ${uuid}`,
  `${'AKIA'}1234567890abcdefghijklmnopqrstuvwxyz`,
  `${'110201543'}:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw`,
  // A certificate: its lines begin with anything.
  `${begin('CERTIFICATE')}\n${'AQE'}FAAOBjQAwgYkCgYEAwV2xWGcIYu6gmi0fCG2RFGiYCh7+2gRvE4RiIcPRfM6f\n${'EAA'}${body}${body}\n${end('CERTIFICATE')}`,
  'certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJ',
  `//# sourceMappingURL=data:application/json;base64,${btoa('{"version":3,"sources":["a.ts"]}')}\n`,
  `${btoa('{"alg":"HS256","typ":"JWT"}')}\n`,
  // Characters by their codes.
  '9010 9011 9012 9013 9014\n4E00 6552 6553 6554 6555 6556\n820D 8210 8216 8229',
  'perldoc -u Some::Module, `docker run -u node:node`.',
]
