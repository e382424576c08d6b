/** How often randomised tests repeat; KONTOR_TEST_ROUNDS=3 looks further than `npm test` does. */
export const rounds = Number(process.env.KONTOR_TEST_ROUNDS ?? 1)
