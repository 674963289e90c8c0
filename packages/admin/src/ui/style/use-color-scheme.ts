import { useMantineColorScheme } from '@mantine/core'

/** The theme and how to choose another; transitions stay, as stopping them takes a style element, which the page may not have. */
export const useColorScheme = () => useMantineColorScheme({ keepTransitions: true })
