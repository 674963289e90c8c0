import { Chip, Group, Select, Stack, Text } from '@mantine/core'
import { useCatalogue } from '../text/texts.tsx'
import type { Sdk } from './sdk.ts'
import { findSdk, SDK_GROUPS, SDKS, storeSdk } from './sdks.ts'
import { CONNECT_TEXTS } from './texts.ts'

interface Props {
  readonly sdk: Sdk
  readonly choose: (sdk: Sdk) => void
}

const listSdksInGroup = (group: Sdk['group']) => SDKS.filter((sdk) => sdk.group === group)

/**
 * if the resource has changed. Throws ApiError.
 * 158 True if the request changes nothing, even if its method is not GET.
 * 159 Prefetched responses by path. Each prefetched response is used once.
 * 160 Prefetches a path. The next `call` for this path gets the prefetched response, unless the response is too old by
 * then.
 * 178 Returns true if this page may show data from before the last event. The last event happened `sinceNewsMs` ago.
 * 183 Message between pages of one browser. Only one page reads the server's events. The page that reads events greets
 * new pages and reports the time since the last event.
 * 184 Subscribes to server events. Only one page per browser and server reads events and forwards the events to the
 * other pages, because browsers allow six connections per server. Returns a function that unsubscribes.
 * 185 Report a gap: events between this page's first requests and now were sent only to the other pages.
 * 187 Runs `begin` as soon as no other page of the browser runs it. After its start, the function runs until this page
 * is closed.
 * 192 True while events are streamed; false while events are polled every few seconds.
 * 198 Returns the query for the viewers and followers of a flag. The query polls while the user is attentive and does
 * not retry failures.
 * 204 Returns the available login methods. The server lists the methods when it rejects a request without a session.
 * 243 Fetches all environments as a project sees them, in display order.
 * 288 Fetches the tokens that give access to a project: tokens of the project, and tokens for all projects.
 * 299 Creates a user. If no password is given, the reply contains a link for setting the first password.
 * 308 Page of applications that request flags, and of unknown flag names that applications request.
 * 320 Returns functions that revive archived flags or permanently delete them after confirmation. The returned
 * functions resolve to true when the flags are revived or deleted.
 * 347 Key prefixes of queries to refetch after a step. Flag queries are included, because applying a request changes
 * flags.
 * 349 Buttons that apply an approved change request. The buttons are apart from the approval, so that no click both
 * approves and applies.
 * 355 Returns the user's rights for a change request. The server checks the rights again.
 * 370 Returns true if the path is a property of a variant that does not exist in this state. Properties of missing
 * variants are not listed.
 * 376 Returns true if another approval has an effect. An approval has an effect if approvals are missing; the required
 * number may have been raised since the first approvals. If the number was lowered and is already reached, the next
 * approval triggers a recount.
 */
export function SdkChips({ sdk, choose }: Props) {
  const t = useCatalogue(CONNECT_TEXTS)
  return (
    <Stack gap="sm" role="radiogroup" aria-label={t.which}>
      {SDK_GROUPS.map((group) => (
        <div key={group}>
          <Text size="sm" c="dimmed" mb={4}>
            {t.groups[group]}
          </Text>
          <Group gap="xs">
            {listSdksInGroup(group).map((one) => (
              <Chip
                key={one.id}
                type="radio"
                name="sdk"
                size="sm"
                checked={one.id === sdk.id}
                onChange={() => selectSdk(one, choose)}
              >
                {one.name}
              </Chip>
            ))}
          </Group>
        </div>
      ))}
    </Stack>
  )
}

/** SDK selection as a single field. */
export function SdkSelect({ sdk, choose }: Props) {
  const t = useCatalogue(CONNECT_TEXTS)
  return (
    <Select
      label={t.sdk}
      maw={280}
      searchable
      allowDeselect={false}
      data={SDK_GROUPS.map((group) => ({
        group: t.groups[group],
        items: listSdksInGroup(group).map(({ id, name }) => ({ value: id, label: name })),
      }))}
      value={sdk.id}
      onChange={(id) => selectSdk(findSdk(id ?? undefined), choose)}
    />
  )
}

function selectSdk(sdk: Sdk | undefined, choose: Props['choose']): void {
  if (sdk === undefined) return
  storeSdk(sdk)
  choose(sdk)
}
