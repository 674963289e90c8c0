import { expect, test } from 'vitest'
import { formatCsv, formatCsvHeader, formatCsvRows } from './csv.ts'

test.each<[string, object[], string]>([
  ['nothing', [], '\n'],
  ['numbers, texts, both answers', [{ a: 1, b: 'x', c: true }], '"a","b","c"\n1,"x",true\n'],
  ['quotation marks, commas and lines', [{ a: 'x "y", z\n' }], '"a"\n"x ""y"", z\n"\n'],
  ['objects and lists', [{ a: { b: [1] } }], '"a"\n"{""b"":[1]}"\n'],
  ['what is not there', [{ a: null, b: undefined }], '"a","b"\n,\n'],
  ['columns of the first row', [{ a: 1 }, { b: 2, a: 3 }], '"a"\n1\n3\n'],
  ['a formula', [{ a: '=1+1' }, { a: '-1' }, { a: '@x' }], '"a"\n"\'=1+1"\n"\'-1"\n"\'@x"\n'],
  ['a formula after a line feed', [{ a: '\n=1' }], '"a"\n"\n\'=1"\n'],
  ['a formula after a tab', [{ a: '\t=1' }, { a: '\tx' }], '"a"\n"\'\t\'=1"\n"\'\tx"\n'],
  [
    'a formula in a cell that a spreadsheet splits',
    [{ a: 'x;=1' }, { a: 'x\t @y' }, { a: 'x\r\n-1;+2' }, { a: 'x;y=1' }],
    '"a"\n"x;\'=1"\n"x\t\' @y"\n"x\r\n\'-1;\'+2"\n"x;y=1"\n',
  ],
  ['a formula after quotes', [{ a: '"=1' }, { a: '“-1”' }, { a: '`\'"@x' }], '"a"\n"\'""=1"\n"\'“-1”"\n"\'`\'""@x"\n'],
  [
    'a formula after quotes in a cell that a spreadsheet splits',
    [{ a: 'x;"=1+1;y' }, { a: "x;'=1" }, { a: 'x;"\t"=1' }, { a: 'x\n"+1' }, { a: 'x;" \u200b\'=1' }],
    '"a"\n"x;\'""=1+1;y"\n"x;\'\'=1"\n"x;""\t\'""=1"\n"x\n\'""+1"\n"x;\'"" \u200b\'=1"\n',
  ],
  ['quotes elsewhere', [{ a: 'x="1"' }, { a: '"x" =1' }, { a: '";x' }], '"a"\n"x=""1"""\n"""x"" =1"\n""";x"\n'],
  ['a formula in JSON', [{ a: { b: 'x;=1' } }], '"a"\n"{""b"":""x\\u003b=1""}"\n'],
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

test('formats the header and the rows of a table separately', () => {
  const rows = [{ a: 1, b: '=x' }]
  expect(formatCsvHeader(['a', '=b']) + formatCsvRows(['a', 'b'], rows)).toBe('"a","\'=b"\n1,"\'=x"\n')
})

test('takes linear time for a text of line breaks', () => {
  const breaks = '\n'.repeat(1_000_000)
  expect(formatCsvRows(['a'], [{ a: breaks }])).toBe(`"${breaks}"\n`)
})
