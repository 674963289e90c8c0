import { Frame } from './frame.tsx'
import { Keys } from './keys.tsx'

/** The frame with everything that works on every page. */
export function Shell() {
  return (
    <>
      <Frame />
      <Keys />
    </>
  )
}
