import { HOLDING_LIMITS } from '@burgee/protocol/administration/delivery-receipt'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'

const Name = Type.String({ maxLength: HOLDING_LIMITS.text })
const Whole = (maximum: number) => Type.Integer({ minimum: 0, maximum })

/** Connections that match by environment, projects, application and revision; their number; and the oldest request. */
const NodeRow = Type.Tuple([
  Name,
  Type.Array(Name, { maxItems: HOLDING_LIMITS.projects }),
  Name,
  Whole(Number.MAX_SAFE_INTEGER),
  Whole(HOLDING_LIMITS.connections),
  Whole(Number.MAX_SAFE_INTEGER),
])
export type NodeRow = Static<typeof NodeRow>

/** Message to other nodes: a part of the rows of this node. A row is an array, because a message has 8,000 bytes. */
const NodeMessage = Type.Object({
  node: Name,
  name: Name,
  /** Number of the report; parts of an older report are replaced. */
  report: Whole(Number.MAX_SAFE_INTEGER),
  rows: Type.Array(NodeRow, { maxItems: HOLDING_LIMITS.rows }),
})
export type NodeMessage = Static<typeof NodeMessage>

const schema = Compile(NodeMessage)

/** Parses a message; undefined if it has another form, such as that of another version of the program. */
export function parseNodeMessage(text: string): NodeMessage | undefined {
  try {
    const message: unknown = JSON.parse(text)
    return schema.Check(message) ? message : undefined
  } catch {
    return undefined
  }
}
