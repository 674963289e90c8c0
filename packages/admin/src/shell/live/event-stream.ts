import { createOpenStore } from '../../ui/loading/open-store.ts'

/** Whether the server says by itself what happens; otherwise it is asked every few seconds. */
export const EVENT_STREAM = createOpenStore()
