import { printAside } from './print.ts'

/**
 * Takes back what a command did before it failed. Throws the error with which it failed, also if that fails, too: then a line says what is left
 * (`notDone`).
 */
export async function afterFailure(error: unknown, notDone: string, takeBack: () => unknown): Promise<never> {
  try {
    await takeBack()
  } catch (later) {
    printAside(`kontor: ${notDone}: ${(later as Error).message}`)
  }
  throw error
}
