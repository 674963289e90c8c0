import type { Texts } from '../text/en.ts'
import type { Undo } from './messages.tsx'
import { messageOf } from './problem.tsx'

/** Loads what shows messages; the frame does so once the page is idle. */
const messages = () => import('./messages.tsx')

/** Says that something is done, with a way back where there is one. */
export function tellDone(message: string, undo?: Undo): void {
  void messages().then(({ showDone }) => showDone(message, undo))
}

/** Says that something was refused, and why. */
export function tellFailed(t: Texts, what: string, error: unknown): void {
  void messages().then(({ showFailed }) => showFailed(t.errors.refused(what), messageOf(error, t.errors.offline)))
}
