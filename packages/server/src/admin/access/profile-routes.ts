import { invalid } from '@burgee/kit/input/refusals'
import { User } from '@burgee/protocol/access'
import { Problem } from '@burgee/protocol/problem'
import { UpdateProfile } from '@burgee/protocol/user'
import { execute } from '../../core/execute.ts'
import { WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { requirePerson } from '../../core/http/route-parts.ts'
import { checkCurrentPassword } from './current-password.ts'
import { requireLocalEmail, updateOwnProfile } from './people/own-profile.ts'
import { toUser } from './people/users.ts'

/**
 * Message for personal tokens. A personal token cannot change the e-mail address, because someone who has stolen the
 * token could then request a password link and take over the account.
 */
const NOT_BY_TOKEN = 'A personal token cannot change the e-mail address: log in to do that.'

/** Routes with which users change their own account. The routes are not part of the wire protocol. */
export const profileRoutes: Routes = [
  route({
    method: 'PUT',
    url: '/api/admin/user/profile',
    permission: null,
    tag: 'Me',
    summary: 'Updates name and e-mail address of the current user. Omitted fields keep their value.',
    description:
      'With an empty name, the username or e-mail address is displayed instead. Changing the address requires the current password, if the user has one; a personal token cannot change it. The change invalidates links that set a password. An address from single sign-on or a directory can be changed only there.',
    body: UpdateProfile,
    replies: { 200: { description: 'The current user', schema: User } },
    problems: [...WRITE, 'InvalidOperationError', 'NameExistsError', 'PasswordMismatch', 'RateLimitError'],
    handle: async ({ body: { name, email, currentPassword }, access }, world) => {
      const { actor } = access
      const user = requirePerson(access)
      if (name === undefined && email === undefined) throw invalid('Give a name or an e-mail address', 'body/name')
      const body = { ...(name === undefined ? {} : { name: name.trim() }), ...(email === undefined ? {} : { email }) }
      const change = { id: user.id, body, checked: undefined }
      if (email === undefined || email === user.email) {
        return toUser(await execute(world, actor, updateOwnProfile, change))
      }
      if (actor.personalToken !== undefined) throw new Problem('NoAccessError', NOT_BY_TOKEN)
      await requireLocalEmail(world.db.reader, user)
      const checked = user.password_hash
      if (checked !== '') {
        if (currentPassword === undefined) {
          throw invalid('Changing the e-mail address requires your current password', 'body/currentPassword')
        }
        const limited = await checkCurrentPassword(world, actor, user, currentPassword)
        if (limited !== undefined) return limited
      }
      return toUser(await execute(world, actor, updateOwnProfile, { ...change, checked }))
    },
  }),
]
