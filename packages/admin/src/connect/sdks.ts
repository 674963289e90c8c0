import { PHONE_SDKS } from './mobile-sdks.ts'
import type { Sdk, SdkGroup } from './sdk.ts'
import { SERVER_SDKS } from './servers-sdks.ts'
import { WEB_SDKS } from './web-sdks.ts'

/** All official SDKs; what the page that connects one, the flag page and the documentation show is the same. */
export const SDKS: readonly Sdk[] = [...SERVER_SDKS, ...WEB_SDKS, ...PHONE_SDKS]

/** What they are for, in the order in which they are offered. */
export const SDK_GROUPS: readonly SdkGroup[] = ['servers', 'web', 'phones']

const KEPT = 'burgee-sdk'
const FIRST = 'node'

/** An SDK by its id. */
export const sdkOf = (id: string | undefined): Sdk | undefined => SDKS.find((sdk) => sdk.id === id)

/** The SDK that was chosen last in this browser. */
export function lastSdk(): Sdk {
  const [first] = SDKS
  const found = sdkOf(localStorage.getItem(KEPT) ?? FIRST) ?? first
  if (found === undefined) throw new Error('There is no SDK')
  return found
}

/** Keeps which SDK was chosen. */
export const keepSdk = ({ id }: Sdk): void => localStorage.setItem(KEPT, id)
