# syntax=docker/dockerfile:1
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
ARG TARGETOS TARGETARCH
ARG VERSION=dev
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath -ldflags "-s -w -X main.version=$VERSION" -o /plait ./cmd/plait

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /plait /plait
USER 65532:65532
ENTRYPOINT ["/plait"]
CMD ["controller"]
