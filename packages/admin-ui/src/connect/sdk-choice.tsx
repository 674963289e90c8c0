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

/** SDK selection as chips, grouped by platform. */
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
