// Put together here, so that no file of the repository holds what looks like a real key.
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
  `${'AKIA'}1234567890abcdefghijklmnopqrstuvwxyz`,
  'certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJ',
  // Characters by their codes.
  '9010 9011 9012 9013 9014\n4E00 6552 6553 6554 6555 6556\n820D 8210 8216 8229',
]
