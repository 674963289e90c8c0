import { expect, test } from 'vitest'
import { formatCsv } from './csv.ts'

test.each<[string, object[], string]>([
  ['nothing', [], '\n'],
  ['numbers, texts, both answers', [{ a: 1, b: 'x', c: true }], '"a","b","c"\n1,"x",true\n'],
  ['quotation marks, commas and lines', [{ a: 'x "y", z\n' }], '"a"\n"x ""y"", z\n"\n'],
  ['objects and lists', [{ a: { b: [1] } }], '"a"\n"{""b"":[1]}"\n'],
  ['what is not there', [{ a: null, b: undefined }], '"a","b"\n,\n'],
  ['columns of the first row', [{ a: 1 }, { b: 2, a: 3 }], '"a"\n1\n3\n'],
  ['a formula', [{ a: '=1+1' }, { a: '-1' }, { a: '@x' }], '"a"\n"\'=1+1"\n"\'-1"\n"\'@x"\n'],
  ['a formula after a line feed', [{ a: '\n=1' }], '"a"\n"\'\n=1"\n'],
  [
    'a formula after blanks',
    [{ a: ' \u00a0=1' }, { a: '\u200b+1' }, { a: '\ufeff@x' }],
    '"a"\n"\' \u00a0=1"\n"\'\u200b+1"\n"\'\ufeff@x"\n',
  ],
  ['a formula after controls', [{ a: '\u0000=1' }, { a: '\u001b-1' }], '"a"\n"\'\u0000=1"\n"\'\u001b-1"\n'],
  [
    'full-width signs',
    [{ a: '＝1' }, { a: '＋1' }, { a: '－1' }, { a: '＠x' }],
    '"a"\n"\'＝1"\n"\'＋1"\n"\'－1"\n"\'＠x"\n',
  ],
  ['a name of a column', [{ '=1': 1 }], '"\'=1"\n1\n'],
  ['signs elsewhere', [{ a: 'a=1' }, { a: ' a -1' }], '"a"\n"a=1"\n" a -1"\n'],
])('%s', (_name, rows, text) => {
  expect(formatCsv(rows)).toBe(text)
})
