/** Texts and what must not be left of them: how secrets stand in code, files and sentences beside the usual ways. */
export const MORE_SECRETS: readonly (readonly [what: string, text: string, ...secrets: string[]])[] = [
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
  // Characters by their codes.
  '9010 9011 9012 9013 9014\n4E00 6552 6553 6554 6555 6556\n820D 8210 8216 8229',
]
