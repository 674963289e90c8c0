import type { CreateInviteLink, InviteLink, UpdateInviteLink } from '@burgee/protocol/administration/invite-link'
import { call, path } from '../http.ts'

const LINKS = '/api/admin/invite-link/tokens'

/** All invite links, the newest first, with who came by them. */
export const inviteLinks = async () =>
  (await call<{ tokens: InviteLink[] }>('GET', LINKS)).tokens.sort((a, b) => b.createdAt.localeCompare(a.createdAt))

/** Makes an invite link. */
export const createInviteLink = (body: CreateInviteLink) => call<InviteLink>('POST', LINKS, body)

/** Changes until when a link is good, or turns it off and on. */
export const updateInviteLink = (secret: string, body: UpdateInviteLink) =>
  call<InviteLink>('PUT', `${LINKS}${path(secret)}`, body)
