import { Reply } from '@burgee/kit/http/route'
import Type from 'typebox'
import { LIST } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'

/**
 * Text of an error that the UI reports. The length of the text is limited; errors are only counted, and their text is
 * discarded.
 */
const Text = Type.String({ maxLength: 50_000 })

/** Route to which the UI reports its errors. Source: wire protocol */
export const uiErrorRoutes: Routes = [
  route({
    method: 'POST',
    url: '/api/admin/record-ui-error',
    permission: null,
    tag: 'System',
    summary: 'Accepts an error report of a user interface; it is counted, not stored.',
    body: Type.Object({ errorMessage: Text, errorStack: Type.Optional(Text) }),
    replies: { 204: { description: 'Counted' } },
    problems: [...LIST, 'ValidationError', 'ContentTypeerror'],
    handle: (_input, { telemetry }) => {
      telemetry.uiErrors.add(1)
      return new Reply(204)
    },
  }),
]
