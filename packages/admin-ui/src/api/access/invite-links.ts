import type { CreateInviteLink, InviteLink, UpdateInviteLink } from '@burgee/protocol/administration/invite-link'
import { buildPath, call } from '../http.ts'

const LINKS = '/api/admin/invite-link/tokens'

/** Fetches all invite links, newest first, each with the users who signed up with it. */
export const fetchInviteLinks = async () =>
  (await call<{ tokens: InviteLink[] }>('GET', LINKS)).tokens.sort((a, b) => b.createdAt.localeCompare(a.createdAt))

/** Creates an invite link. */
export const createInviteLink = (body: CreateInviteLink) => call<InviteLink>('POST', LINKS, body)

/** Changes the expiry of an invite link, or enables or disables it. */
export const updateInviteLink = (secret: string, body: UpdateInviteLink) =>
  call<InviteLink>('PUT', `${LINKS}${buildPath(secret)}`, body)
