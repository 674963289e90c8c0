import { expect, test } from 'vitest'
import { formatHelp, formatMarkdownTable } from './option-docs.ts'
import { flag, inCode, integer, list, text } from './parsers.ts'

const TABLE = {
  url: { env: ['URL'], parse: text, required: true, doc: 'Where.' },
  key: { env: ['KEY', 'OLD_KEY'], parse: text, secret: true, default: 'hush', doc: 'Key.' },
  useJson: { env: ['JSON'], parse: flag, default: false, doc: 'A|B.' },
  'cors.maxAge': { env: ['AGE'], parse: integer(0), default: 60, unit: 's', doc: 'Age.' },
  'cors.origin': { parse: list, default: ['a', 'b'], doc: 'Origins.' },
  tags: { parse: list, default: [], doc: 'Tags.' },
  tokens: { parse: list, default: [], secret: true, doc: 'Tokens.' },
  instanceId: { parse: text, defaultDoc: 'generated', doc: 'Id.' },
  aVeryLongOptionNameThatFillsTheColumn: { parse: text, doc: 'Long.' },
  hook: {
    env: ['HOOK_FILE_PATH'],
    parse: inCode('a function', (value): value is () => void => typeof value === 'function'),
    codeOnly: true,
    default: () => {},
    doc: 'Hook.',
  },
  limits: {
    parse: inCode('limits', (value): value is { most: number } => typeof value === 'object'),
    default: { most: 1 },
    doc: 'Limits.',
  },
} as const

test('help: one entry for each option of the command line', () => {
  const layout = {
    width: 60,
    groups: ['Web', 'Other', 'None'],
    getGroup: (name: string) => (name.startsWith('cors') ? 'Web' : 'Other'),
    selectVariables: (variables: readonly string[]) => variables.filter((name) => !name.startsWith('OLD')),
  }
  expect(formatHelp(TABLE, layout).split('\n')).toEqual([
    'Web:',
    '  --cors-max-age <s>              Age.',
    '                                  [env: AGE; default: 60]',
    '  --cors-origin <value>           Origins.',
    '                                  [default: a,b]',
    '',
    'Other:',
    '  --url <value>                   Where.',
    '                                  [required; env: URL]',
    '  --key <value>                   Key.',
    '                                  [env: KEY; default: set]',
    '  --[no-]use-json                 A|B.',
    '                                  [env: JSON; default:',
    '                                  false]',
    '  --tags <value>                  Tags.',
    '  --tokens <value>                Tokens.',
    '  --instance-id <value>           Id.',
    '                                  [default: generated]',
    '  --a-very-long-option-name-that-fills-the-column <value>',
    '                                  Long.',
    '  --limits <value>                Limits.',
    '                                  [default: {"most":1}]',
  ])
})

test('Markdown: a table of all options, its bars escaped, no secret default', () => {
  expect(formatMarkdownTable(TABLE).split('\n')).toEqual([
    '| Option | Command line | Environment variable | Default | Description |',
    '|---|---|---|---|---|',
    '| `url` (required) | `--url` | `URL` |  | Where. Expects a string. |',
    '| `key` | `--key` | `KEY`, `KEY_FILE`, `OLD_KEY`, `OLD_KEY_FILE` | `set` | Key. Expects a string. |',
    '| `useJson` | `--use-json` | `JSON` | `false` | A\\|B. Expects true or false. |',
    '| `cors.maxAge` | `--cors-max-age` | `AGE` | `60` | Age. Expects an integer ≥ 0 (s). |',
    '| `cors.origin` | `--cors-origin` |  | `a,b` | Origins. Expects a comma-separated list. |',
    '| `tags` | `--tags` |  |  | Tags. Expects a comma-separated list. |',
    '| `tokens` | `--tokens` |  |  | Tokens. Expects a comma-separated list. |',
    '| `instanceId` | `--instance-id` |  | `generated` | Id. Expects a string. |',
    '| `aVeryLongOptionNameThatFillsTheColumn` | `--a-very-long-option-name-that-fills-the-column` |  |  | Long. Expects a string. |',
    '| `hook` | in code only | `HOOK_FILE_PATH` | `set` | Hook. Expects a function. |',
    '| `limits` | `--limits` |  | `{"most":1}` | Limits. Expects limits. |',
  ])
})
