// Receives webhooks with the standard library of Go 1.19 or later.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	secret := []byte(os.Getenv("WEBHOOK_SECRET"))
	if len(secret) == 0 {
		log.Fatal("WEBHOOK_SECRET is missing")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	log.Fatal(http.ListenAndServe(":"+port, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		t, given, _ := strings.Cut(strings.TrimPrefix(r.Header.Get("X-Service-Signature"), "t="), ",v1=")
		seconds, _ := strconv.ParseInt(t, 10, 64)
		mac := hmac.New(sha256.New, secret)
		mac.Write(append([]byte(t+"."), body...))
		expected := []byte(hex.EncodeToString(mac.Sum(nil)))
		signed := false
		for _, one := range strings.Split(given, ",v1=") {
			signed = hmac.Equal(expected, []byte(one)) || signed
		}
		if err != nil || !signed || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusNoContent)
		var event struct {
			ID, Type string
			Data     json.RawMessage
		}
		json.Unmarshal(body, &event)
		log.Println(event.ID, event.Type, string(event.Data))
	})))
}
