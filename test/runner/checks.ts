import { execFile } from 'node:child_process'

/** A check of the source. Returns what it found, if anything. */
export type Check = () => Promise<string | undefined>

/** `npm run check`, which needs no tests to have ended. */
export const checks: readonly Check[] = [
  () =>
    new Promise((resolve) => {
      execFile('npm', ['run', '--silent', 'check'], { encoding: 'utf8' }, (error, stdout, stderr) => {
        console.log(error ? `✖ types and style\n${stdout}${stderr}` : '✔ types and style')
        resolve(error ? 'types and style: see above' : undefined)
      })
    }),
]
