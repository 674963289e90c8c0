import type { LoginEvent } from '@burgee/protocol/access'
import { call } from '../http.ts'

/** The last logins and attempts, newest first. */
export const logins = async () => (await call<{ events: LoginEvent[] }>('GET', '/api/admin/logins')).events
