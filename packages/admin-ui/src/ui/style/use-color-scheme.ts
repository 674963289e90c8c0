import { useMantineColorScheme } from '@mantine/core'

/**
 * Returns the color scheme and its setter. Transitions stay enabled while the scheme changes, because disabling them
 * needs a style element, which the content security policy forbids.
 */
export const useColorScheme = () => useMantineColorScheme({ keepTransitions: true })
