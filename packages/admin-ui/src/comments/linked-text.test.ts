import { expect, test } from 'vitest'
import { splitLinks } from './linked-text.ts'

/** Returns the parts of a text, with addresses in brackets. */
const told = (text: string) => splitLinks(text).map(({ text: part, url }) => (url === undefined ? part : [url]))

test.each<[string, string, (string | [string])[]]>([
  ['nothing', '', []],
  ['words alone', 'paused', ['paused']],
  ['an address alone', 'https://example.com/a?b=c#d', [['https://example.com/a?b=c#d']]],
  ['one at the end of a sentence', 'See http://example.com/a.', ['See ', ['http://example.com/a'], '.']],
  [
    'two on separate lines',
    'https://a.example\nhttps://b.example',
    [['https://a.example'], '\n', ['https://b.example']],
  ],
  ['in brackets', '(https://example.com/a)', ['(', ['https://example.com/a'], ')']],
  ['with brackets of its own', 'https://example.com/a_(b).', [['https://example.com/a_(b)'], '.']],
  ['in quotes', 'the „https://example.com“ one', ['the „', ['https://example.com'], '“ one']],
  ['before a comma and more', 'https://example.com/a, or not', [['https://example.com/a'], ', or not']],
  ['in capitals', 'HTTPS://EXAMPLE.COM', [['HTTPS://EXAMPLE.COM']]],
  ['a script is none', 'javascript:alert(1)', ['javascript:alert(1)']],
  ['nor what only ends so', 'xhttps://example.com', ['xhttps://example.com']],
  ['nor data', 'data:text/html,<b>', ['data:text/html,<b>']],
  ['nor half an address', 'https:// and http://.', ['https:// and http://.']],
  ['nor tags behind it', 'https://example.com<script>', [['https://example.com'], '<script>']],
])('%s', (_what, text, parts) => {
  expect(told(text)).toEqual(parts)
  expect(
    splitLinks(text)
      .map((part) => part.text)
      .join(''),
  ).toBe(text)
})
