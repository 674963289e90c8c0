import { userByEmail } from '../../store/access/users.ts'
import { hasIdentity } from '../../store/sso/identities.ts'
import { makeResetLink } from '../access/passwords/password-reset.ts'
import { isAddressVerified } from '../access/people/adoption.ts'
import { execute } from '../execute.ts'
import type { World } from '../world.ts'
import { MailQueue, type MailQueueDeps } from './mail-queue.ts'
import { MAIL_TEMPLATES } from './mail-templates.ts'
import type { Mails } from './mails.ts'

/** What mails lead to: `url` is the address of the server, with its base path and without a slash at the end. */
interface MailsDeps extends MailQueueDeps {
  readonly url: string
}

/** Mails of a server. */
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
        const user = await userByEmail(world.db.reader, email)
        // the address that is stored, never the one that was typed
        if (user?.email == null) return undefined
        // whoever only came by single sign-on gets no second way in behind its back
        if (user.password_hash === '' && (await hasIdentity(world.db.reader, user.id))) return undefined
        const token = await execute(world, asking, makeResetLink, { userId: user.id, endsTokens: true, mailed: true })
        const link = `${url}/reset-password?token=${token}`
        // an unverified address may be somebody else's, who must not read what the holder of the account wrote as a name
        const name = isAddressVerified(user) ? (user.name ?? '') : ''
        return { to: user.email, mail: MAIL_TEMPLATES['reset-password']({ name, link, url }) }
      })
    },
    close: () => queue.close(),
  }
}
