import { createOpenStore } from '../../ui/loading/open-store.ts'

/** True while the server streams events; false while events are polled every few seconds. */
export const EVENT_STREAM = createOpenStore()
