import { findUserByEmail } from '@burgee/storage/queries/access/users'
import { hasIdentity } from '@burgee/storage/queries/sso/identities'
import { execute } from '../../core/execute.ts'
import type { World } from '../../core/world.ts'
import { isAddressVerified } from '../access/people/adoption.ts'
import { makeResetLink } from '../access/people/password-reset.ts'
import { MailQueue, type MailQueueDeps } from './mail-queue.ts'
import { MAIL_TEMPLATES } from './mail-templates.ts'
import type { Mails } from './mails.ts'

/** Dependencies of mails; `url` is the address of the server, with its base path and without a trailing slash. */
interface MailsDeps extends MailQueueDeps {
  readonly url: string
}

/** Creates the service that writes the server's mails. */
export function createMails(world: World, { url, ...deps }: MailsDeps): Mails {
  const queue = new MailQueue(deps)
  return {
    invite: ({ name, email }, link) =>
      queue.add('getting-started', async () => ({
        to: email,
        mail: MAIL_TEMPLATES['getting-started']({ name: name ?? '', link, url }),
      })),
    reset(email, asking) {
      queue.add('reset-password', async () => {
        const user = await findUserByEmail(world.db.reader, email)
        // use the stored address, never the address that the user typed
        if (user?.email == null) return undefined
        // users of single sign-on or a directory who have no password must not get a second way to log in
        const isManaged = user.scim_id !== null || (await hasIdentity(world.db.reader, user.id))
        if (user.password_hash === '' && isManaged) return undefined
        const token = await execute(world, asking, makeResetLink, { userId: user.id, endsTokens: true, mailed: true })
        const link = `${url}/reset-password?token=${token}`
        // an unverified address may belong to a stranger: omit the name, because the account holder can choose any text
        // as the name
        const name = isAddressVerified(user) ? (user.name ?? '') : ''
        return { to: user.email, mail: MAIL_TEMPLATES['reset-password']({ name, link, url }) }
      })
    },
    close: () => queue.close(),
  }
}
