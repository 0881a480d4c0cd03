const { DOCUMENT, OUTPUT, BASE_URL } = process.env

export default {
  holdfast: {
    input: DOCUMENT,
    output: { target: OUTPUT, client: 'fetch', baseUrl: BASE_URL, mode: 'single' },
  },
}
