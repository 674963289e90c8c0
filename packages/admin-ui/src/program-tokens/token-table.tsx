import type { PersonalToken } from '@burgee/protocol/access'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { useAction } from '../ui/messages/use-action.ts'
import { RowButton } from '../ui/page/row-button.tsx'
import { Table } from '../ui/page/table.tsx'
import ui from '../ui/ui.module.css'
import { PROGRAM_TOKEN_TEXTS } from './texts.ts'

interface Props {
  readonly label: string
  readonly tokens: readonly PersonalToken[]
  readonly isDense?: boolean
  readonly revoke: (id: number) => Promise<unknown>
  /** Key prefix of the query that lists the tokens. */
  readonly list: string
}

/** Table of tokens for programs, which can be revoked. */
export function TokenTable({ label, tokens, isDense = false, revoke, list }: Props) {
  const t = useTexts()
  const own = useCatalogue(PROGRAM_TOKEN_TEXTS)
  const { ago, date } = useFormat()
  const act = useAction()
  const take = ({ id, description }: PersonalToken) =>
    act({
      what: own.revoke,
      ask: { title: own.revokeTitle(description), text: own.revokeText, action: own.revoke, isDanger: true },
      run: () => revoke(id),
      done: own.revoked(description),
      changes: [list],
    })
  return (
    <Table
      label={label}
      isDense={isDense}
      columns={[own.purpose, t.common.created, own.lastUsed, own.expires, t.common.actions]}
    >
      {tokens.map((token) => (
        <tr key={token.id}>
          <th scope="row">{token.description}</th>
          <td className={ui.short}>{date(token.createdAt)}</td>
          <td className={ui.short}>{token.seenAt === null ? t.common.never : ago(token.seenAt)}</td>
          <td className={ui.short}>{date(token.expiresAt)}</td>
          <td>
            <RowButton label={own.revokeLabel(token.description)} text={own.revoke} isDanger act={() => take(token)} />
          </td>
        </tr>
      ))}
    </Table>
  )
}
