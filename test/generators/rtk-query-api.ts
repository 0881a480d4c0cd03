import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query'
import { baseUrl, key } from './main-path.ts'

export const emptyApi = createApi({
  baseQuery: fetchBaseQuery({
    baseUrl,
    prepareHeaders: (headers) => void headers.set('Authorization', `Bearer ${key}`),
  }),
  endpoints: () => ({}),
})
