import { PHONE_SDKS } from './mobile-sdks.ts'
import type { Sdk, SdkGroup } from './sdk.ts'
import { SERVER_SDKS } from './servers-sdks.ts'
import { WEB_SDKS } from './web-sdks.ts'

/** All official SDKs. This list is shared by the connect page, the flag page and the documentation. */
export const SDKS: readonly Sdk[] = [...SERVER_SDKS, ...WEB_SDKS, ...PHONE_SDKS]

/** SDK groups in display order. */
export const SDK_GROUPS: readonly SdkGroup[] = ['servers', 'web', 'phones']

const STORAGE_KEY = 'burgee-sdk'
const DEFAULT_SDK_ID = 'node'

/** Returns an SDK by id. */
export const findSdk = (id: string | undefined): Sdk | undefined => SDKS.find((sdk) => sdk.id === id)

/** Returns the SDK that was last selected in this browser. */
export function readLastSdk(): Sdk {
  const [first] = SDKS
  const found = findSdk(localStorage.getItem(STORAGE_KEY) ?? DEFAULT_SDK_ID) ?? first
  if (found === undefined) throw new Error('There is no SDK')
  return found
}

/** Stores which SDK is selected. */
export const storeSdk = ({ id }: Sdk): void => localStorage.setItem(STORAGE_KEY, id)
