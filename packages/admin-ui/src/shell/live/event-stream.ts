import { createOpenStore } from '../../ui/loading/open-store.ts'

/** True while the server streams events; otherwise they are polled every few seconds. */
export const EVENT_STREAM = createOpenStore()
