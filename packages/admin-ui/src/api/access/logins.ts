import type { LoginEvent } from '@burgee/protocol/access'
import { call } from '../http.ts'

/** Fetches the latest logins and failed attempts, newest first. */
export const fetchLogins = async () => (await call<{ events: LoginEvent[] }>('GET', '/api/admin/logins')).events
