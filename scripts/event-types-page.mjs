/** Writes the page about the event types and about the operations that write events. */
import { EVENTS } from '@burgee/protocol/event'
import { BACKGROUND_EVENTS, CONSEQUENCES, OPERATION_EVENTS } from '@burgee/server/admin/events/operation-events'

const INTRODUCTION = `# Event types

Generated from the code by \`npm run docs\`.

Each change of the admin API writes events to the [event log](concepts.md), and [integrations](integrations.md) receive them by type. In the
OpenAPI document (\`/docs/openapi.json\`), \`x-event-types\` of an operation lists the types that it can write. An operation that changes
nothing writes no event.
`

const code = (text) => `\`${text}\``
const table = (head, rows) =>
  `| ${head.join(' | ')} |\n${'|---'.repeat(head.length)}|\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`

/** Orders operations by path, then by method. */
function comparePaths(one, other) {
  const [a, b] = [one, other].map((operation) => operation.split(' ').reverse().join(' '))
  return a < b ? -1 : a > b ? 1 : 0
}

/** Returns the page in Markdown. */
export function eventTypesPage() {
  const operations = Object.entries(OPERATION_EVENTS).sort(([a], [b]) => comparePaths(a, b))
  const types = Object.keys(EVENTS).sort()
  const byType = types.map((type) => {
    const writers = operations.filter(([, written]) => written.includes(type)).map(([operation]) => code(operation))
    const consequence = CONSEQUENCES.some((one) => one.type === type) ? ['other events, see above'] : []
    const background = Object.hasOwn(BACKGROUND_EVENTS, type) ? ['the server itself, see above'] : []
    return [code(type), [...consequence, ...background, ...writers].join('<br>')]
  })
  const byOperation = operations.map(([operation, written]) => [
    code(operation),
    written.toSorted().map(code).join(', '),
  ])
  return [
    INTRODUCTION,
    '## Events that follow from others\n',
    'Operations that write an event of the right column can also write the event on its left.\n',
    table(
      ['Event', 'Written when', 'With'],
      CONSEQUENCES.map(({ type, when, followsFrom }) => [
        code(type),
        when,
        types.filter(followsFrom).map(code).join(', '),
      ]),
    ),
    '## Events of the server itself\n',
    table(
      ['Event', 'Written when'],
      Object.entries(BACKGROUND_EVENTS).map(([type, when]) => [code(type), when]),
    ),
    '## Operations by event\n',
    table(['Event', 'Operations'], byType),
    '## Events by operation\n',
    'Operations that are not listed write no events.\n',
    table(['Operation', 'Events'], byOperation),
  ].join('\n')
}
