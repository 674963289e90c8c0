import type { EdgeUsage } from './usage-interface.ts'

/** Accepts usage reports and discards them. Source: wire protocol "Files and offline mode" */
export const DISCARDING_USAGE: EdgeUsage = {
  register: () => {},
  count: () => {},
  addImpact: () => {},
  getStatus: () => ({
    deliveredAtMs: undefined,
    waiting: { registrations: 0, flags: 0, names: 0 },
    dropped: 0,
    failures: 0,
  }),
  close: async () => {},
}
