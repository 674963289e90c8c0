import { useMantineColorScheme } from '@mantine/core'

/**
 * Returns the color scheme and its setter. Transitions stay enabled when the scheme changes, because disabling
 * transitions needs a style element, which the content security policy forbids.
 */
export const useColorScheme = () => useMantineColorScheme({ keepTransitions: true })
